import { perSuite } from '@hookline/testing/per-suite';
import { beforeAll, expect, it } from 'vitest';
import { startTestGateway } from './world.ts';

const gateway = perSuite(() => startTestGateway({}, { now: () => new Date(Date.now() + offsetMs) }));
let token: string;
let offsetMs = 0;

beforeAll(async () => {
  token = (await gateway.signUp()).token;
});

const body = { name: 'mine', scopes: ['apps:read'] };
const mint = (key: string, given: unknown = body) =>
  gateway.call('POST', '/api/v1/keys', { token, body: given, headers: { 'idempotency-key': key } });

it('a repeat of POST /keys answers the record without the key, and makes none', async () => {
  const first = await mint('one');
  const { key, ...record } = first.body.data;
  expect([first.status, key]).toEqual([201, expect.stringMatching(/^svc_live_/)]);
  const again = await mint('one');
  expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([
    201,
    'true',
    { data: record },
  ]);
  const listed = await gateway.call('GET', '/api/v1/keys', { token });
  expect(listed.body.data).toHaveLength(1);
});

it('the key is in no idempotency record', async () => {
  const { key } = (await mint('two')).body.data;
  const { rows } = await gateway.admin.query(
    'select row_to_json(k)::text as text from gateway.idempotency_keys k',
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.map(({ text }) => text).join('\n')).not.toContain(key);
});

it('another body is 400 and names the header; a refusal is not kept', async () => {
  await mint('three');
  const other = await mint('three', { ...body, name: 'other' });
  expect([other.status, other.body.error.code]).toEqual([400, 'idempotency_key_reused']);
  expect(other.body.error.message).toContain('Idempotency-Key');
  const expiring = { ...body, expiresAt: new Date(Date.now() + 60_000).toISOString() };
  offsetMs = 120_000;
  expect((await mint('four', expiring)).status).toBe(400);
  offsetMs = 0;
  expect((await mint('four', expiring)).status).toBe(201);
});
