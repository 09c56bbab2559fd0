/**
 * The database server is restored to a base backup from before a send, or replaced by a standby that was
 * behind: nothing is posted a second time.
 */
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@hookline/embedded';
import { serviceNames } from '@hookline/shared/contracts/scopes';
import { migrateAll } from '@hookline/shared/postgres';
import { eventually } from '@hookline/testing/eventually';
import { createMigratedDatabase, type TestService } from '@hookline/testing/service-harness';
import pg from 'pg';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { resumeSending } from '../src/pauses/pause.ts';
import { findOpenPause } from '../src/pauses/queries.ts';
import { closeAfterRestore } from '../src/restore/close-after.ts';
import { readEvidence } from '../src/restore/evidence.ts';
import { publishWaiting, startWorld, type World } from './world.ts';

const password = 'test-role-password';
const pollMs = 200;
// Two polls of the sender.
const quietMs = 500;
// Required by a base backup and a standby.
const settings = { wal_level: 'replica', max_wal_senders: '2' };

type Server = {
  database: TestService['database'];
  /** Takes a base backup while the server runs. */
  backUp(): Promise<string>;
  /** Stops the server and starts it again from the backup, on the same port. */
  putBack(backup: string): Promise<void>;
  /** Starts a standby from the backup, and stops it once it has streamed everything. */
  startStandby(backup: string): Promise<Standby>;
};

type Standby = {
  /** Stops the primary, and starts the standby in its place: on the same port, promoted. */
  promote(): Promise<void>;
};

/** A stopped cluster with every schema, of which each test has a copy. */
const migrated = mkdtempSync(join(tmpdir(), 'hookline-migrated-'));
beforeAll(async () => {
  const server = await startEmbeddedPostgres({ dataDir: migrated, settings });
  const passwords = Object.fromEntries(['bus', ...serviceNames].map(role => [role, password]));
  await migrateAll({ adminUrl: server.url, passwords });
  await server.stop();
  return () => rmSync(migrated, { recursive: true });
});

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  while (closing.length > 0) await closing.pop()?.();
});

async function startServer(): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-went-back-'));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'postgres');
  cpSync(migrated, dataDir, { recursive: true });
  let server: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir, settings });
  const { url, port } = server;
  closing.push(() => server.stop());
  const admin = async <T>(work: (client: pg.Client) => Promise<T>, at = url): Promise<T> => {
    const client = new pg.Client({ connectionString: at });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  const cluster = await admin(
    async client => (await client.query('show data_directory')).rows[0].data_directory,
  );
  return {
    database: {
      url,
      name: 'postgres',
      drop: async () => {},
      roleUrl: role => url.replace(/\/\/[^@]*@/, `//${role}:${password}@`),
    },
    backUp: () =>
      admin(async client => {
        const copy = join(mkdtempSync(join(folder, 'backup-')), 'cluster');
        await client.query(`select pg_backup_start('test', true)`);
        cpSync(cluster, copy, { recursive: true });
        const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
        cpSync(join(cluster, 'pg_wal'), join(copy, 'pg_wal'), { recursive: true });
        rmSync(join(copy, 'postmaster.pid'), { force: true });
        writeFileSync(join(copy, 'backup_label'), rows[0].labelfile);
        return copy;
      }),
    async putBack(backup) {
      await server.stop();
      rmSync(cluster, { recursive: true });
      cpSync(backup, cluster, { recursive: true });
      server = await startEmbeddedPostgres({ dataDir, port, settings });
    },
    async startStandby(backup) {
      const itsDir = join(folder, 'standby');
      const itsCluster = join(itsDir, relative(dataDir, cluster));
      cpSync(dataDir, itsDir, { recursive: true, filter: from => !from.startsWith(cluster) });
      for (const name of readdirSync(itsDir)) if (name.endsWith('.lock')) rmSync(join(itsDir, name));
      cpSync(backup, itsCluster, { recursive: true });
      writeFileSync(join(itsCluster, 'standby.signal'), '');
      const standby = await startEmbeddedPostgres({
        dataDir: itsDir,
        settings: { ...settings, primary_conninfo: url },
      });
      closing.push(() => standby.stop());
      const { rows } = await admin(client => client.query('select pg_current_wal_lsn() as lsn'));
      await eventually(async () => {
        const replayed = await admin(
          client => client.query('select pg_last_wal_replay_lsn() >= $1::pg_lsn as done', [rows[0].lsn]),
          standby.url,
        );
        expect(replayed.rows[0].done).toBe(true);
      }, 30_000);
      await standby.stop();
      return {
        async promote() {
          await server.stop();
          server = await startEmbeddedPostgres({ dataDir: itsDir, port, settings });
          await admin(client => client.query('select pg_promote()'));
        },
      };
    },
  };
}

/** A schedule that is due, before anything could send it. */
async function prepare(options: { busUrl?: string } = {}) {
  const server = await startServer();
  const world = await startWorld({ role: 'api', database: server.database, timings: { pollMs }, ...options });
  closing.push(() => world.stop());
  // A sender has run before, as in a running product. After this nothing sends before the backup.
  const early = await startSender(world);
  await early.stop();
  const ready = await world.ready();
  const scheduledFor = new Date().toISOString();
  const { body } = await world.schedule(ready.caller, {
    contentId: ready.content.id,
    tiktokAccountId: ready.account.id,
    scheduledFor,
  });
  return { server, world, ...ready, id: body.data.id as string };
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

async function expectNoSecondPost({ world, caller, id, username }: Prepared): Promise<void> {
  const { db } = world.service;
  await eventually(async () => expect((await findOpenPause(db))?.cause).toBe('went_back'), 30_000);
  await new Promise(resolve => setTimeout(resolve, quietMs));
  expect(await world.posts(username)).toHaveLength(1);
  const { body } = await world.call(caller, 'GET', `/v1/schedules/${id}`);
  expect(body.data.status).toBe('pending');
  expect(body.data.timeline.at(-1).detail).toMatch('the database went back in time');
}

/** Only the settlement ends such a pause. Afterwards posts are sent again, except the doubtful one. */
async function settleAndGoOn({ world, caller, account, content, id, username }: Prepared): Promise<void> {
  const clock = { db: world.service.db, now: () => new Date() };
  expect(await resumeSending(clock)).toBe('unsettled');
  const backupAt = new Date(Date.now() - 60_000);
  const evidence = await readEvidence(clock.db, world.service.bus, backupAt);
  const closed = await clock.db.transaction(tx =>
    closeAfterRestore(tx, { backupAt, now: new Date(), evidence }),
  );
  const { onBus, overdue } = closed;
  expect([closed.sending, onBus + overdue]).toEqual([0, 1]);
  expect(await resumeSending(clock)).toMatchObject({ cause: 'restored' });
  expect((await world.over(caller, id)).failure.code).toBe('outcome_unknown');
  const next = world.content.addDeck(caller.accountId, { slides: 2 });
  const { body, text } = await world.schedule(caller, { contentId: next.id, tiktokAccountId: account.id });
  expect(body.data, text).toBeDefined();
  expect((await world.over(caller, body.data.id, 30_000)).status).toBe('sent');
  expect(await world.posts(username)).toHaveLength(2);
  await new Promise(resolve => setTimeout(resolve, quietMs));
  expect(await findOpenPause(clock.db)).toBeNull();
  expect(content.id).not.toBe(next.id);
}

async function startSender(world: World, env: Record<string, string> = {}): Promise<TestService> {
  return await world.startAnother({}, env);
}

it('a file next to the cluster witnesses a restore, although the bus went back with it', {
  timeout: 240_000,
}, async () => {
  const prepared = await prepare();
  const { server, world, caller, id, username } = prepared;
  const env = { WITNESS_FILE: join(mkdtempSync(join(tmpdir(), 'hookline-witness-')), 'witness.json') };
  closing.push(() => rmSync(join(env.WITNESS_FILE, '..'), { recursive: true }));
  const backup = await server.backUp();
  const first = await startSender(world, env);
  expect((await world.over(caller, id, 30_000)).status).toBe('sent');
  await first.stop();
  expect(await world.posts(username)).toHaveLength(1);
  await server.putBack(backup);
  await startSender(world, env);
  await expectNoSecondPost(prepared);
  await settleAndGoOn(prepared);
});

it('events on a bus that stayed witness a restore with no process left', { timeout: 240_000 }, async () => {
  const bus = await createMigratedDatabase();
  closing.push(() => bus.drop());
  const prepared = await prepare({ busUrl: bus.roleUrl('bus') });
  const { server, world, caller, id, username } = prepared;
  const backup = await server.backUp();
  const first = await startSender(world);
  expect((await world.over(caller, id, 30_000)).status).toBe('sent');
  await publishWaiting(world.service);
  await first.stop();
  expect(await world.posts(username)).toHaveLength(1);
  await server.putBack(backup);
  await startSender(world);
  await expectNoSecondPost(prepared);
  await settleAndGoOn(prepared);
});

it('the memory of one sender witnesses a failover, while another that has sent nothing waits', {
  timeout: 240_000,
}, async () => {
  const prepared = await prepare();
  const { server, world, caller, id } = prepared;
  const standby = await server.startStandby(await server.backUp());
  await startSender(world);
  expect((await world.over(caller, id, 30_000)).status).toBe('sent');
  await startSender(world);
  await standby.promote();
  await expectNoSecondPost(prepared);
  await settleAndGoOn(prepared);
});

it('a sender that has sent nothing witnesses a failover by the events of one that is gone', {
  timeout: 240_000,
}, async () => {
  const bus = await createMigratedDatabase();
  closing.push(() => bus.drop());
  const prepared = await prepare({ busUrl: bus.roleUrl('bus') });
  const { server, world, caller, id } = prepared;
  const standby = await server.startStandby(await server.backUp());
  const first = await startSender(world);
  expect((await world.over(caller, id, 30_000)).status).toBe('sent');
  await first.stop();
  await publishWaiting(world.service);
  await startSender(world);
  await standby.promote();
  await expectNoSecondPost(prepared);
  await settleAndGoOn(prepared);
});

it('a sender that has sent nothing witnesses files that are put back under it', {
  timeout: 240_000,
}, async () => {
  const prepared = await prepare();
  const { server, world, caller, id, username } = prepared;
  const backup = await server.backUp();
  const first = await startSender(world);
  expect((await world.over(caller, id, 30_000)).status).toBe('sent');
  // Its first reading comes after what the other has written.
  await startSender(world);
  await first.stop();
  await server.putBack(backup);
  await expectNoSecondPost(prepared);
  expect(await world.posts(username)).toHaveLength(1);
});
