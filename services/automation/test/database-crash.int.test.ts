/** Postgres crashes while webhooks are in flight: counts how many are sent a second time. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@hookline/embedded';
import { serviceNames } from '@hookline/shared/contracts/scopes';
import { newId } from '@hookline/shared/kernel';
import { migrateAll } from '@hookline/shared/postgres';
import { openTestDatabase } from '@hookline/testing/database';
import { eventually } from '@hookline/testing/eventually';
import {
  createMigratedDatabase,
  startTestService,
  type TestService,
  testCaller,
} from '@hookline/testing/service-harness';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { automation } from '../src/service.ts';
import { type Receiver, startReceiver } from './receiver.ts';

const owner = testCaller();
const password = 'test-role-password';
const passwords = Object.fromEntries(['bus', ...serviceNames].map(role => [role, password]));
const endpoints = 10;
const events = 200;
const deliveries = endpoints * events;

let dataDir: string;
let postgres: EmbeddedPostgres;
let forBus: Awaited<ReturnType<typeof createMigratedDatabase>>;
let receiver: Receiver;
let service: TestService;

/** A separate server, because it is killed. Its log is flushed as late as Postgres allows. */
function startPostgres(port?: number): Promise<EmbeddedPostgres> {
  const settings = { wal_writer_delay: '10s', wal_writer_flush_after: '1GB' };
  return startEmbeddedPostgres({ dataDir, settings, ...(port === undefined ? {} : { port }) });
}

async function restartAtOnce(): Promise<void> {
  const { pid, port } = postgres;
  process.kill(pid, 'SIGQUIT');
  await eventually(async () => {
    postgres = await startPostgres(port);
  }, 20_000);
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hookline-crash-'));
  postgres = await startPostgres();
  await migrateAll({ adminUrl: postgres.url, passwords });
  forBus = await createMigratedDatabase();
  receiver = await startReceiver();
  const roleUrl = (role: string): string => {
    const url = new URL(postgres.url);
    url.username = role;
    url.password = password;
    return url.href;
  };
  service = await startTestService(automation, {
    env: { PUBLIC_URL: 'https://api.example.com', WEBHOOK_ALLOW_TARGETS: receiver.target },
    database: { ...forBus, url: postgres.url, roleUrl },
    busUrl: forBus.roleUrl('bus'),
  });
}, 60_000);
afterAll(async () => {
  await service?.stop();
  await receiver?.stop();
  await postgres?.stop();
  await forBus?.drop();
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
});

/** Registers the endpoints, then writes the events with a delivery to each, at once and without the bus. */
async function writeBacklog(): Promise<void> {
  for (let at = 0; at < endpoints; at += 1) {
    const body = { url: receiver.url(`/${at}`), events: ['job.completed'] };
    expect((await service.call('POST', '/v1/webhooks', { caller: owner, body })).status).toBe(201);
  }
  const admin = openTestDatabase(postgres.url, 1);
  const prefix = newId('event');
  const now = new Date();
  await admin.transaction(async tx => {
    await tx.query(
      `insert into automation.feed_events (id, account_id, position, type, resource, sequence, data, created_at)
       select $1 || n, $2, n, 'job.completed', 'job:' || n, 1, '{}', $3 from generate_series(1, $4::int) n`,
      [prefix, owner.accountId, now, events],
    );
    await tx.query(
      `insert into automation.deliveries (id, webhook_id, event_id, event_type, resource, sequence, next_attempt_at,
         created_at, updated_at)
       select w.id || '_' || n, w.id, $1 || n, 'job.completed', 'job:' || n, 1, $2::timestamptz, $2, $2
       from automation.webhooks w, generate_series(1, $3::int) n`,
      [prefix, now, events],
    );
    await tx.query(`insert into automation.webhook_queue select id, $1 from automation.webhooks`, [now]);
  });
  await admin.close();
}

function countDistinct(): number {
  return new Set(receiver.received.map(({ path, headers }) => `${path} ${headers['webhook-id']}`)).size;
}

it('a crash of the database sends nothing again that was answered before it, or while it was away', {
  timeout: 120_000,
}, async () => {
  await writeBacklog();
  await eventually(() => expect(receiver.received.length).toBeGreaterThan(deliveries / 4), 30_000);
  await restartAtOnce();
  await eventually(async () => {
    expect(countDistinct()).toBe(deliveries);
    const left = await service.db.query(`select 1 from deliveries where status <> 'delivered'`);
    expect(left).toHaveLength(0);
  }, 60_000);
  expect(receiver.received.length - deliveries).toBe(0);
});
