/**
 * The receivers under examples/, run as a customer would, against real deliveries. The reference library
 * verifies.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@hookline/embedded/free-port';
import { contentApproved, jobCompleted, scheduleSentToDrafts } from '@hookline/shared/events';
import { newId } from '@hookline/shared/kernel';
import { eventually } from '@hookline/testing/eventually';
import { startTestService, type TestService, testCaller } from '@hookline/testing/service-harness';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { automation } from '../src/service.ts';

const examples = join(import.meta.dirname, '../../../examples/webhook-receiver');
const hasPython = spawnSync('python3', ['--version']).status === 0;
const receivers = [
  { name: 'TypeScript', command: process.execPath, file: join(examples, 'receiver.ts'), isThere: true },
  { name: 'Python', command: 'python3', file: join(examples, 'receiver.py'), isThere: hasPython },
];

let service: TestService;
let port: number;
let folder: string;
let child: ChildProcess | undefined;

beforeAll(async () => {
  port = await freePort();
  folder = mkdtempSync(join(tmpdir(), 'hookline-receiver-'));
  service = await startTestService(automation, {
    env: { PUBLIC_URL: 'https://api.example.com', WEBHOOK_ALLOW_TARGETS: `127.0.0.1:${port}` },
  });
});
afterEach(() => stop());
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(command: string, file: string, secret: string, recordFile: string): Promise<void> {
  const env = { PATH: process.env.PATH, PORT: String(port), WEBHOOK_SECRET: secret, RECORD_FILE: recordFile };
  const started = spawn(command, [file], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  child = started;
  let output = '';
  for (const stream of [started.stdout, started.stderr]) stream.on('data', chunk => (output += chunk));
  await eventually(() => expect(output).toContain('listening'), 15_000);
}

async function stop(): Promise<void> {
  const ending = child;
  child = undefined;
  if (!ending || ending.exitCode !== null) return;
  const ended = new Promise(resolve => ending.once('exit', resolve));
  ending.kill('SIGKILL');
  await ended;
}

type Recorded = { id: string; headers: Record<string, string>; body: string };
function recorded(file: string): Recorded[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line));
  } catch {
    return [];
  }
}

describe.each(receivers.filter(({ isThere }) => isThere))('the $name receiver', ({ name, command, file }) => {
  it('the receiver stores each event once, with signatures that the reference library accepts', async () => {
    const owner = testCaller();
    const url = `http://127.0.0.1:${port}/hooks`;
    const events = ['job.completed', 'content.approved', 'schedule.sent_to_drafts'];
    const made = await service.call('POST', '/v1/webhooks', { caller: owner, body: { url, events } });
    const { id, secret } = (made.body as { data: { id: string; secret: string } }).data;
    const recordFile = join(folder, `${name}.jsonl`);
    await start(command, file, secret, recordFile);

    const publish = (
      definition: typeof jobCompleted | typeof contentApproved | typeof scheduleSentToDrafts,
    ) =>
      service.publish(definition, {
        subject: newId('content'),
        accountId: owner.accountId,
        data: definition.example,
      });
    for (const definition of [jobCompleted, contentApproved, scheduleSentToDrafts]) await publish(definition);
    await eventually(() => expect(recorded(recordFile)).toHaveLength(3));

    const judge = new Webhook(secret);
    for (const { headers, body } of recorded(recordFile)) {
      const payload = judge.verify(body, headers) as { id: string };
      expect(payload.id).toBe(headers['webhook-id']);
      // The spec's header, computed as the spec describes: hex HMAC-SHA256 of the raw body under the secret.
      expect(headers['x-service-signature']).toBe(createHmac('sha256', secret).update(body).digest('hex'));
    }

    // Killed and restarted: a replay of a stored event gets 2xx and is not stored again.
    await stop();
    await start(command, file, secret, recordFile);
    const path = `/v1/webhooks/${id}/deliveries`;
    type Delivery = { id: string; status: string; attempts: unknown[] };
    const list = async (): Promise<Delivery[]> =>
      ((await service.call('GET', path, { caller: owner })).body as { data: Delivery[] }).data;
    await eventually(async () =>
      expect((await list()).map(({ status }) => status)).toEqual(['delivered', 'delivered', 'delivered']),
    );
    const [delivery] = await list();
    await service.call('POST', `${path}/${delivery?.id}/replay`, { caller: owner });
    await eventually(async () =>
      expect((await list())[0]).toMatchObject({ status: 'delivered', attempts: [{}, {}] }),
    );
    expect(recorded(recordFile)).toHaveLength(3);
  });

  it('the receiver does not start with an empty secret, with which anybody could sign', () => {
    const env = { PATH: process.env.PATH, PORT: String(port), WEBHOOK_SECRET: '' };
    const { status, stderr } = spawnSync(command, [file], { env, timeout: 10_000, encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/empty/)]);
  });

  it('the receiver works during a rotation with the old secret and with the new one', async () => {
    const owner = testCaller();
    const body = { url: `http://127.0.0.1:${port}/hooks`, events: ['job.completed'] };
    const made = await service.call('POST', '/v1/webhooks', { caller: owner, body });
    const { id, secret } = (made.body as { data: { id: string; secret: string } }).data;
    const rotated = await service.call('POST', `/v1/webhooks/${id}/rotate`, { caller: owner });
    const next = (rotated.body as { data: { secret: string } }).data.secret;
    for (const [index, held] of [secret, next].entries()) {
      const recordFile = join(folder, `${name}-rotation-${index}.jsonl`);
      await start(command, file, held, recordFile);
      const sent = await service.call('POST', `/v1/webhooks/${id}/test`, { caller: owner });
      expect(sent.body).toMatchObject({ data: { responseStatus: 204, error: null } });
      expect(recorded(recordFile)).toHaveLength(1);
      await stop();
    }
  });

  it('the receiver refuses what is changed, stale, from the future, unsigned or signed by another', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const recordFile = join(folder, `${name}-refused.jsonl`);
    await start(command, file, secret, recordFile);
    const body = '{"type":"job.completed"}';
    const post = (headers: Record<string, string>, sent = body, method = 'POST') =>
      fetch(`http://127.0.0.1:${port}/`, { method, headers, body: sent }).then(({ status }) => status);
    const signedAt = (seconds: number, by = secret): Record<string, string> => {
      const at = new Date(Date.now() + seconds * 1_000);
      return {
        'webhook-id': 'event_1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': new Webhook(by).sign('event_1', at, body),
      };
    };
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
    const { 'webhook-signature': _signature, ...unsigned } = signedAt(0);
    expect(await post(signedAt(0), `${body} `)).toBe(400);
    expect(await post(signedAt(-400))).toBe(400);
    expect(await post(signedAt(400))).toBe(400);
    expect(await post(unsigned)).toBe(400);
    expect(await post({})).toBe(400);
    expect(await post({ ...signedAt(0), 'webhook-timestamp': '9'.repeat(400) })).toBe(400);
    // The answer may be lost, because the rest of the body is not read; the receiver goes on.
    await post({}, 'x'.repeat(8_000_000)).catch(() => undefined);
    await post({}, 'x'.repeat(1_048_600), 'PUT').catch(() => undefined);
    expect(child?.exitCode).toBeNull();
    expect(await post(signedAt(0, other))).toBe(400);
    expect(await post({ ...signedAt(0), 'webhook-id': 'event_2' })).toBe(400);
    expect(recorded(recordFile)).toEqual([]);
    const both = `${signedAt(0, other)['webhook-signature']} ${signedAt(0)['webhook-signature']}`;
    expect(await post({ ...signedAt(0), 'webhook-signature': both })).toBe(204);
    expect(recorded(recordFile)).toHaveLength(1);
  });
});
