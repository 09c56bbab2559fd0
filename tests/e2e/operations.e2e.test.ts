/** What an operator sees of `npm start`: traces, logs and their level, and an outage of Postgres. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openTestDatabase } from '@hookline/testing/database';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { beforeAll, describe, expect, it } from 'vitest';
import { approvedDeck, type Prepared, prepareAccount } from '../lab/kit/clients/api.ts';
import { repositoryRoot } from '../lab/kit/product/processes.ts';
import { startStandalone } from '../lab/kit/product/standalone.ts';
import { startTraceCollector } from '../lab/kit/servers/trace-collector.ts';
import { startWebhookReceiver } from '../lab/kit/servers/webhook-receiver.ts';

const execute = promisify(execFile);
const receiver = perSuite(startWebhookReceiver);
const collector = perSuite(startTraceCollector);
const product = perSuite(() => startStandalone({ WEBHOOK_ALLOW_TARGETS: receiver.target, ...collector.env }));
let client: Prepared;

beforeAll(async () => {
  client = await prepareAccount(product.baseUrl, 'studio.nord');
});

async function trace(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH, DATA_DIR: product.dataDir };
  return await execute(process.execPath, ['ops/src/trace/main.ts', ...args], {
    cwd: repositoryRoot,
    env,
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

describe('npm run trace', () => {
  it('shows a post from the request to the webhook’s receiver, in order, with times', async () => {
    const { api, key, accountId } = client;
    await api('POST', '/webhooks', {
      token: key,
      body: { url: receiver.url, events: ['schedule.sent_to_drafts'] },
    });
    const content = await approvedDeck(client);
    const body = { contentId: content.id, tiktokAccountId: accountId, mode: 'draft' };
    const made = await api<{ id: string }>('POST', '/schedules', { token: key, body });
    expect(made.status, made.text).toBe(201);
    const requestId = made.headers.get('x-request-id') ?? '';
    await eventually(() => expect(receiver.received).toHaveLength(1), 20_000);
    const steps = [
      /gateway +POST \/api\/v1\/schedules 201 {2}\((\d+ ms|\d+\.\d\d s)\)/,
      /scheduling +POST \/v1\/schedules 201/,
      /scheduling +event schedule\.created of schedule_/,
      /scheduling +schedule_\w+ attempt_started/,
      /scheduling +schedule_\w+ sent: sent_to_drafts/,
      /scheduling +event schedule\.sent_to_drafts of schedule_/,
      /automation +automation\.webhook-events took it/,
      /automation +sent to webhook_\w+: 204/,
    ];
    await eventually(async () => {
      const { code, stdout, stderr } = await trace(requestId);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(new RegExp(`^${requestId} {2}\\d{4}-.*Z {2}trace [0-9a-f]{32}\n`));
      const places = steps.map(step => stdout.split('\n').findIndex(line => step.test(line)));
      expect(places, stdout).not.toContain(-1);
      expect(places, stdout).toEqual([...places].sort((a, b) => a - b));
    }, 10_000);
  });

  it('says in one sentence what is wrong with the id', async () => {
    expect(await trace('nonsense')).toMatchObject({ code: 1, stderr: expect.stringMatching(/^.+\.\n$/) });
    expect(await trace('req_01jd7r9c5mfw8s3k2n6q4t1vxz')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not known in'),
    });
  });
});

it('a post is one trace from the gateway to the platform, with statements of every service', async () => {
  const deck = await approvedDeck(client);
  // The gateway has not seen it yet, so it asks its database.
  const key = await client.api<{ key: string }>('POST', '/keys', {
    token: client.session,
    body: { name: 'trace', scopes: ['schedules:write'] },
  });
  const traceId = randomBytes(16).toString('hex');
  const clientSpan = randomBytes(8).toString('hex');
  const made = await client.api('POST', '/schedules', {
    token: key.data.key,
    headers: { traceparent: `00-${traceId}-${clientSpan}-01` },
    body: { contentId: deck.id, tiktokAccountId: client.accountId, mode: 'draft' },
  });
  expect(made.status, made.text).toBe(201);
  await eventually(() => {
    const spans = collector.spansOf(traceId);
    const ids = new Set([clientSpan, ...spans.map(span => span.spanId)]);
    expect(spans.filter(span => !ids.has(span.parentSpanId))).toEqual([]);
    const names = spans.map(({ name }) => name);
    expect(names).toContain('POST /api/v1/schedules');
    expect(names).toContain('send schedule');
    expect(names.filter(name => name.startsWith('send scheduling.'))).not.toEqual([]);
    expect(names.filter(name => name.startsWith('process scheduling.'))).not.toEqual([]);
    const calls = spans.filter(({ scope }) => scope === '@opentelemetry/instrumentation-undici');
    const sender = spans.find(({ name }) => name === 'send schedule');
    expect(calls.map(({ parentSpanId }) => parentSpanId)).toContain(sender?.spanId);
    expect([...new Set(spans.flatMap(({ pool }) => pool ?? []))].sort()).toEqual(
      ['analytics', 'automation', 'content', 'gateway', 'scheduling'].map(name => `hookline ${name}`),
    );
  }, 20_000);
});

it('each line of its log names one service', () => {
  const lines = readFileSync(join(product.dataDir, 'logs', 'hookline.log'), 'utf8')
    .trim()
    .split('\n');
  expect(lines.filter(line => line.split('"service":').length !== 2)).toEqual([]);
  const services = new Set(lines.map(line => (JSON.parse(line) as { service: string }).service));
  expect([...services].sort()).toEqual([
    'analytics',
    'automation',
    'content',
    'gateway',
    'scheduling',
    'standalone',
  ]);
});

describe('SIGUSR2', () => {
  it('makes every service of the process log at debug, then trace, then as before', async () => {
    const { pid } = JSON.parse(readFileSync(join(product.dataDir, 'run.json'), 'utf8')) as { pid: number };
    const file = join(product.dataDir, 'logs', 'hookline.log');
    const lines = () =>
      readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as { level: string; service: string; logLevel?: string });
    const changes = () => lines().flatMap(line => (line.logLevel ? [line.logLevel] : []));
    const debugs = () => lines().filter(line => line.level === 'debug' && line.service !== 'standalone');
    expect(debugs()).toHaveLength(0);
    process.kill(pid, 'SIGUSR2');
    await eventually(() => expect(changes()).toEqual(['debug']), 5_000);
    await approvedDeck(client);
    await eventually(() => expect(debugs().length).toBeGreaterThan(0), 10_000);
    process.kill(pid, 'SIGUSR2');
    await eventually(() => expect(changes()).toEqual(['debug', 'trace']), 5_000);
    process.kill(pid, 'SIGUSR2');
    await eventually(() => expect(changes()).toEqual(['debug', 'trace', 'info']), 5_000);
  });
});

describe('a service whose database user is refused', () => {
  const database = perSuite(() => openTestDatabase(product.databaseUrl, 1));

  async function withoutDatabase<T>(role: string, work: () => Promise<T>): Promise<T> {
    await database.query(`alter role ${role} nologin`);
    await database.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [role]);
    try {
      return await work();
    } finally {
      await database.query(`alter role ${role} login`);
    }
  }
  const readDecks = () => client.api('GET', '/content', { token: client.key });
  const readiness = async () => (await fetch(`${product.gatewayUrl}/readyz`)).status;

  it('answers 502 db_error without internals; the gateway is not ready; both serve on afterwards', async () => {
    const { status, error, text } = await withoutDatabase('content', readDecks);
    expect([status, error?.code]).toEqual([502, 'db_error']);
    expect(text).not.toMatch(/\bat \/|node_modules|select |\.ts:/);
    expect(await withoutDatabase('gateway', readiness)).toBe(503);
    await eventually(async () => expect([(await readDecks()).status, await readiness()]).toEqual([200, 200]));
  });
});
