/** Repeats under one `Idempotency-Key`: the answer, who gets it, for how long, and the stored data. */
import { randomBytes } from 'node:crypto';
import type { Caller } from '@hookline/shared/http';
import { perSuite } from '@hookline/testing/per-suite';
import { startTestService, testCaller } from '@hookline/testing/service-harness';
import { describe, expect, it } from 'vitest';
import { automation } from '../src/service.ts';
import { startPeerDoubles } from './peer-doubles.ts';

const peers = perSuite(startPeerDoubles);
const service = perSuite(() =>
  startTestService(automation, {
    env: { ...peers.env, PUBLIC_URL: 'http://localhost:8080', WEBHOOK_ALLOW_TARGETS: '127.0.0.1:9' },
    now: () => new Date(Date.now() + offsetMs),
  }),
);
let offsetMs = 0;

// biome-ignore lint/suspicious/noExplicitAny: answers are judged by their values here.
type Answer = { status: number; text: string; replayed: boolean; body: any };

async function post(caller: Caller, path: string, key: string, body?: unknown): Promise<Answer> {
  const {
    status,
    text,
    body: read,
    headers,
  } = await service.call('POST', `/v1${path}`, {
    caller,
    headers: { 'idempotency-key': key },
    ...(body === undefined ? {} : { body }),
  });
  return { status, text, body: read, replayed: headers.get('idempotent-replayed') === 'true' };
}

const newKey = (): string => randomBytes(6).toString('hex');
const endpoint = { url: 'http://127.0.0.1:9/hooks', events: ['content.approved'] };

describe('a secret', () => {
  const records = () =>
    service.db.query<{ text: string }>('select row_to_json(k)::text as text from idempotency_keys k');

  it('a secret is answered to a repeat for 10 minutes, then the record without it', async () => {
    const caller = testCaller();
    const [key, rotateKey] = [newKey(), newKey()];
    const made = await post(caller, '/webhooks', key, endpoint);
    const path = `/webhooks/${made.body.data.id}/rotate`;
    const rotated = await post(caller, path, rotateKey);
    expect(rotated.body.data.secret).not.toBe(made.body.data.secret);
    expect((await post(caller, '/webhooks', key, endpoint)).text).toBe(made.text);
    expect((await post(caller, path, rotateKey)).text).toBe(rotated.text);
    offsetMs += 10 * 60_000 + 1_000;
    for (const [answer, first] of [
      [await post(caller, '/webhooks', key, endpoint), made],
      [await post(caller, path, rotateKey), rotated],
    ] as const) {
      const { secret: _, ...record } = first.body.data;
      expect([answer.status, answer.body.data]).toEqual([first.status, record]);
    }
    const webhooks = await service.db.query(`select from webhooks where account_id = $1`, [caller.accountId]);
    expect(webhooks).toHaveLength(1);
  });

  it('a secret is in no idempotency record', async () => {
    const caller = testCaller();
    const { body } = await post(caller, '/webhooks', newKey(), endpoint);
    const stored = (await records()).map(({ text }) => text).join('\n');
    expect(stored).toContain(body.data.id);
    expect(stored).not.toContain('whsec_');
    expect(stored).not.toContain(body.data.secret.slice('whsec_'.length));
  });

  it('a secret is not answered once its webhook is gone', async () => {
    const caller = testCaller();
    const key = newKey();
    const { body } = await post(caller, '/webhooks', key, endpoint);
    await service.call('DELETE', `/v1/webhooks/${body.data.id}`, { caller });
    const { secret: _, ...record } = body.data;
    expect((await post(caller, '/webhooks', key, endpoint)).body.data).toEqual(record);
  });
});
