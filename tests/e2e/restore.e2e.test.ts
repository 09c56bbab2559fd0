/**
 * The restore drill (G-O9): a product is stopped during a call and backed up, posts more and is lost. Its
 * backup and the topics since then are restored next to a platform that kept its state and counts the posts.
 */

import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openTarget } from '@hookline/ops/target';
import { hourMs } from '@hookline/shared/kernel/durations';
import type { Database } from '@hookline/shared/postgres';
import { openTestDatabase } from '@hookline/testing/database';
import { eventually } from '@hookline/testing/eventually';
import { controlHeaders } from '@hookline/testing/simulator-controls';
import { afterAll, expect, it } from 'vitest';
import {
  approvedDeck,
  type Content,
  newAutomation,
  type Prepared,
  postsAtPlatform,
  prepareAccount,
  putFaults,
  type Schedule,
} from '../lab/kit/clients/api.ts';
import { repositoryRoot, startProcess, stopAllProcesses } from '../lab/kit/product/processes.ts';
import { type Standalone, startStandalone } from '../lab/kit/product/standalone.ts';

const execute = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'hookline-restore-'));
const backupDir = join(folder, 'backup');

type Message = {
  topic: string;
  position: number;
  key: string;
  value: string;
  headers: Record<string, string>;
};
type Detail = Schedule & { timeline: { what: string; detail: string | null }[] };

afterAll(async () => {
  await stopAllProcesses();
  rmSync(folder, { recursive: true, force: true });
  if (firstDir) rmSync(firstDir, { recursive: true, force: true });
});

async function ops(
  dataDir: string,
  ...args: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir };
  return await execute(process.execPath, ['ops/src/main.ts', ...args], {
    cwd: repositoryRoot,
    env,
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

async function schedule(
  { api, key, accountId }: Prepared,
  { id }: Content,
  inMs: number | null,
): Promise<string> {
  const made = await api<Schedule>('POST', '/schedules', {
    token: key,
    body: {
      contentId: id,
      tiktokAccountId: accountId,
      mode: 'draft',
      ...(inMs === null ? {} : { scheduledFor: new Date(Date.now() + inMs).toISOString() }),
    },
  });
  expect(made.status, made.text).toBe(201);
  return made.data.id;
}

const read = async ({ api, key }: Prepared, id: string): Promise<Detail> =>
  (await api<Detail>('GET', `/schedules/${id}`, { token: key })).data;

const ended = (client: Prepared, id: string, status: string): Promise<Detail> =>
  eventually(async () => {
    const row = await read(client, id);
    if (row.status !== status) throw new Error(JSON.stringify(row));
    return row;
  }, 30_000);

async function firing({ api, key }: Prepared, automation: string) {
  const { data } = await api<{ status: string; contentId: string; reason: string }[]>(
    'GET',
    `/automations/${automation}/firings`,
    { token: key },
  );
  return data[0];
}

const firingIs = (client: Prepared, automation: string, status: string) =>
  eventually(async () => {
    const one = await firing(client, automation);
    if (one?.status !== status) throw new Error(JSON.stringify(one));
    return one;
  }, 30_000);

function openAdmin({ databaseUrl }: Standalone): Database {
  return openTestDatabase(databaseUrl, 1);
}

let firstDir: string | undefined;

it('brings back yesterday and posts nothing twice', async () => {
  const stopped = await startStandalone();
  const { simulatorsUrl, baseUrl, dataDir } = stopped;
  firstDir = dataDir;
  const names = ['sent', 'calling', 'due', 'later', 'after', 'auto', 'manual'].map(name => `drill.${name}`);
  const clients: Prepared[] = [];
  for (const name of names) {
    await fetch(`${simulatorsUrl}/_control/tiktok/accounts/${name}`, {
      method: 'PUT',
      headers: controlHeaders,
      body: '{}',
    });
    clients.push(await prepareAccount(baseUrl, name));
  }
  const [sent, calling, due, later, after, auto, manual] = clients as [
    Prepared,
    Prepared,
    Prepared,
    Prepared,
    Prepared,
    Prepared,
    Prepared,
  ];
  const decks = new Map<Prepared, Content>();
  for (const client of clients) decks.set(client, await approvedDeck(client));
  const deckOf = (client: Prepared): Content => decks.get(client) as Content;
  const counts = async (): Promise<Record<string, number>> =>
    Object.fromEntries(
      await Promise.all(
        names.map(async name => [name, (await postsAtPlatform(simulatorsUrl, name)).length] as const),
      ),
    );

  const sentId = await schedule(sent, deckOf(sent), null);
  await ended(sent, sentId, 'sent');
  const laterId = await schedule(later, deckOf(later), hourMs);
  const manualId = await newAutomation(manual, { approvalMode: 'manual', postingMode: 'drafts' });
  expect(
    (await manual.api('POST', `/automations/${manualId}/run`, { token: manual.key })).status,
  ).toBeLessThan(300);
  const { contentId } = await firingIs(manual, manualId, 'awaiting_approval');

  expect((await ops(dataDir, 'backup', backupDir)).stderr).toContain('stop it first');

  // The product is killed during the call, and the time of the next one comes after the backup.
  const dueId = await schedule(due, deckOf(due), 10_000);
  await putFaults(simulatorsUrl, [
    { platform: 'tiktok', operation: 'content_init', kind: 'slow', share: 1, times: 1, delayMs: 9_000 },
  ]);
  const callingId = await schedule(calling, deckOf(calling), 0);
  await eventually(async () =>
    expect((await read(calling, callingId)).timeline.map(row => row.what)).toContain('attempt_started'),
  );
  stopped.product.signal('SIGKILL');
  await stopped.product.exited;
  const backedUp = await ops(dataDir, 'backup', backupDir);
  expect(backedUp, backedUp.stderr).toMatchObject({ code: 0 });

  // Changes that the backup does not contain.
  const ports = { PORT: new URL(stopped.gatewayUrl).port, SIMULATORS_PORT: new URL(simulatorsUrl).port };
  const first = await startStandalone({ DATA_DIR: dataDir, ...ports });
  await ended(calling, callingId, 'sent');
  await ended(due, dueId, 'sent');
  const afterId = await schedule(after, deckOf(after), null);
  await ended(after, afterId, 'sent');
  await manual.api('POST', `/content/${contentId}/approve`, { token: manual.key });
  await firingIs(manual, manualId, 'done');
  const autoId = await newAutomation(auto, { approvalMode: 'auto', postingMode: 'drafts' });
  await auto.api('POST', `/automations/${autoId}/run`, { token: auto.key });
  await firingIs(auto, autoId, 'done');
  const posted = { ...Object.fromEntries(names.map(name => [name, 1])), 'drill.later': 0 };
  expect(await counts()).toEqual(posted);
  const firstDb = openAdmin(first);
  const told = await firstDb.query<Message>(
    'select topic, position, key, value, headers from bus.messages order by position',
  );
  await firstDb.close();
  first.product.signal('SIGTERM');
  await first.product.exited;

  // The platform is outside and not restored.
  cpSync(join(dataDir, 'simulators'), join(backupDir, 'simulators'), { recursive: true });
  for (const entry of ['main', 'doctor']) {
    const early = startProcess(entry, `deploy/standalone/src/${entry}.ts`, { DATA_DIR: backupDir, ...ports });
    expect(await early.exited).toBe(1);
    expect(early.output()).toContain('first end what may have been posted since');
  }
  const restored = await ops(backupDir, 'close-after');
  expect(restored, restored.stderr).toMatchObject({ code: 0 });
  expect(restored.stdout).toContain('1 schedules were being sent and 1 became due since');
  expect(restored.stdout).toContain('1 schedules wait and are kept back');
  expect(restored.stdout).toContain('1 open firings of automations are ended');

  // The topics outlive the database: everything since the backup is delivered again.
  const target = await openTarget({ DATA_DIR: backupDir });
  const { bus } = await target.openBus();
  const heads = await target
    .openSchema('bus')
    .query<{ topic: string; head: number }>('select topic, head from topics');
  const replayed = told.filter(
    ({ topic, position }) => position > (heads.find(one => one.topic === topic)?.head ?? 0),
  );
  await bus.publish(replayed.map(({ topic, key, value, headers }) => ({ topic, key, value, headers })));
  await target.close();
  const types = replayed.map(message => message.headers.ce_type);
  for (const type of [
    'schedule.sent_to_drafts',
    'automation.schedule_requested',
    'automation.fired',
    'content.approved',
  ])
    expect(types).toContain(type);

  const second = await startStandalone({ DATA_DIR: backupDir, ...ports });
  const admin = openAdmin(second);
  const quiet = () =>
    eventually(async () => {
      const [left] = await admin.query<{ count: number }>(
        `select (select count(*) from scheduling.outbox) + (select count(*) from automation.outbox)
           + (select count(*) from content.outbox)
           + (select count(*) from scheduling.schedule_requests where due_at is not null)
           + (select count(*) from content.contents where status in ('queued', 'running'))
           + (select coalesce(sum(t.head - c.position), 0) from bus.cursors c join bus.topics t using (topic)) as count`,
      );
      expect(Number(left?.count)).toBe(0);
    }, 30_000);
  await quiet();
  expect(await counts()).toEqual(posted);

  for (const [client, id] of [
    [calling, callingId],
    [due, dueId],
  ] as const) {
    const { status, failure } = await read(client, id);
    expect({ status, code: failure?.code }).toEqual({ status: 'failed', code: 'outcome_unknown' });
    expect((await client.api('POST', `/schedules/${id}/retry`, { token: client.key })).status).toBe(409);
  }
  const attempts = await admin.query<{ state: string; schedule: string }>(
    'select state, schedule_id as schedule from scheduling.attempts where schedule_id = any($1)',
    [[sentId, callingId]],
  );
  expect(attempts).toHaveLength(2);
  expect(attempts).toContainEqual({ state: 'delivered', schedule: sentId });
  expect(attempts).toContainEqual({ state: 'unknown', schedule: callingId });
  const requests = await admin.query<{ automation: string }>(
    'select automation_id as automation from scheduling.schedule_requests order by automation_id = $1',
    [manualId],
  );
  expect(requests.map(row => row.automation)).toEqual([autoId, manualId]);
  // Somebody gives the post that is kept back a time; it is sent, once, and a new post is possible.
  const keptBack = await read(later, laterId);
  expect([keptBack.status, keptBack.timeline.at(-1)?.what]).toEqual(['pending', 'kept_back']);
  await later.api('PATCH', `/schedules/${laterId}`, {
    token: later.key,
    body: { scheduledFor: new Date(Date.now() + 500).toISOString() },
  });
  await ended(later, laterId, 'sent');
  const anew = await schedule(sent, await approvedDeck(sent), null);
  await ended(sent, anew, 'sent');
  expect(await counts()).toEqual({ ...posted, 'drill.later': 1, 'drill.sent': 2 });
  await admin.close();
  const invariants = await ops(backupDir, 'check-invariants');
  expect(invariants.stdout).toContain(', 0 broken');
  expect(invariants.code).toBe(0);
  // The slides were restored too.
  const image = await fetch(deckOf(later).images[0]?.url ?? '');
  expect(image.status).toBe(200);
  await second.remove();
}, 300_000);
