import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from './db.ts';
import {
  type Claim,
  canonicalJson,
  claimKey,
  claimOrWait,
  completeKey,
  type IdempotencyScope,
  pruneKeys,
  releaseKey,
  windowMs,
} from './idempotency.ts';
import { newId } from './ids.ts';
import { createLogger } from './logger.ts';
import { createMigratedDatabase } from './testing/service-harness.ts';

const start = new Date('2026-11-21T09:00:00.000Z');
const at = (ms: number): Date => new Date(start.getTime() + ms);
const leaseMs = 20_000;

let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let db: Database;

beforeAll(async () => {
  database = await createMigratedDatabase();
  const log = createLogger({ service: 'test', level: 'silent' });
  db = openDatabase({ url: database.roleUrl('content'), connectionsMax: 8, name: 'test', log });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

function newScope(): IdempotencyScope {
  return { accountId: newId('acct'), route: 'POST /content', key: 'key 1' };
}

type Given = { now?: Date; body?: unknown; resourceId?: string };

function claim(scope: IdempotencyScope, given: Given = {}): Promise<Claim> {
  const { now = start, body = { appId: 'a' }, resourceId = newId('content') } = given;
  return db.transaction(tx => claimKey(tx, { ...scope, body, resourceId, leaseMs, now }));
}

function complete(scope: IdempotencyScope, body: string): Promise<void> {
  return db.transaction(tx => completeKey(tx, scope, { status: 201, body }));
}

describe('claimKey', () => {
  it('gives a new key the id it was called with', async () => {
    const claimed = await claim(newScope(), { resourceId: 'content_1' });
    expect(claimed).toEqual({ kind: 'claimed', resourceId: 'content_1', isResumed: false });
  });

  it('replays the stored answer byte for byte', async () => {
    const scope = newScope();
    const body = '{"data":{"hook":"Ünï — 🎞 \\u2028",  "n": 1.10, "b":1,"a":2}}\n';
    await claim(scope);
    await complete(scope, body);
    expect(await claim(scope)).toEqual({ kind: 'replay', status: 201, body });
  });

  it('400 when the key comes with another body, before and after the answer is there', async () => {
    const scope = newScope();
    const refusal = {
      code: 'invalid_request',
      status: 400,
      message: expect.stringMatching(/^Idempotency-Key /),
    };
    await claim(scope);
    await expect(claim(scope, { body: { appId: 'b' } })).rejects.toMatchObject(refusal);
    await complete(scope, '{}');
    await expect(claim(scope, { body: { appId: 'b' } })).rejects.toMatchObject(refusal);
    expect(await claim(scope)).toMatchObject({ kind: 'replay' });
  });

  it('takes a body for the same when only the order of its fields differs', async () => {
    const scope = newScope();
    await claim(scope, { body: { a: 1, b: { c: [1, 2], d: null } } });
    await complete(scope, '{}');
    expect(await claim(scope, { body: { b: { d: null, c: [1, 2] }, a: 1 } })).toMatchObject({
      kind: 'replay',
    });
    await expect(claim(scope, { body: { a: 1, b: { c: [2, 1], d: null } } })).rejects.toThrow(/another body/);
  });

  it('of ten at once one gets the work', async () => {
    const scope = newScope();
    const claims = await Promise.all(Array.from({ length: 10 }, () => claim(scope)));
    expect(claims.map(one => one.kind).toSorted()).toEqual(['claimed', ...Array(9).fill('running')]);
  });

  it('keeps accounts, routes and keys apart', async () => {
    const scope = newScope();
    const others = [
      { ...scope, accountId: newId('acct') },
      { ...scope, route: 'POST /schedules' },
      { ...scope, key: 'KEY 1' },
    ];
    await claim(scope);
    for (const other of others)
      expect(await claim(other)).toMatchObject({ kind: 'claimed', isResumed: false });
  });

  it('after the lease another may resume, under the id of the first; until then it runs', async () => {
    const scope = newScope();
    await claim(scope, { resourceId: 'content_first' });
    expect(await claim(scope, { now: at(leaseMs - 1) })).toEqual({ kind: 'running' });
    const resumed = await claim(scope, { now: at(leaseMs), resourceId: 'content_second' });
    expect(resumed).toEqual({ kind: 'claimed', resourceId: 'content_first', isResumed: true });
    expect(await claim(scope, { now: at(2 * leaseMs - 1) })).toEqual({ kind: 'running' });
  });

  it('of ten that would resume one gets the work', async () => {
    const scope = newScope();
    await claim(scope);
    const claims = await Promise.all(Array.from({ length: 10 }, () => claim(scope, { now: at(leaseMs) })));
    expect(claims.filter(one => one.kind === 'claimed')).toHaveLength(1);
  });

  it('remembers for 24 h to the millisecond; then the key is new, whatever the body', async () => {
    const scope = newScope();
    expect(windowMs).toBe(24 * 3_600_000);
    await claim(scope, { resourceId: 'content_old' });
    await complete(scope, '{}');
    expect(await claim(scope, { now: at(windowMs - 1) })).toMatchObject({ kind: 'replay' });
    const later = { now: at(windowMs), body: { appId: 'b' }, resourceId: 'content_new' };
    expect(await claim(scope, later)).toEqual({
      kind: 'claimed',
      resourceId: 'content_new',
      isResumed: false,
    });
    expect(await claim(scope, { ...later, now: at(windowMs + 1) })).toEqual({ kind: 'running' });
  });
});

describe('releaseKey', () => {
  it('gives a key back whose work failed', async () => {
    const scope = newScope();
    await claim(scope, { resourceId: 'content_1' });
    await releaseKey(db, scope);
    const again = await claim(scope, { body: { appId: 'b' }, resourceId: 'content_2' });
    expect(again).toMatchObject({ kind: 'claimed', resourceId: 'content_2' });
  });

  it('never takes away an answer that is stored', async () => {
    const scope = newScope();
    await claim(scope);
    await complete(scope, '{}');
    await releaseKey(db, scope);
    expect(await claim(scope)).toMatchObject({ kind: 'replay' });
  });
});

describe('completeKey', () => {
  it('stores nothing when the transaction of the effect rolls back', async () => {
    const scope = newScope();
    await claim(scope);
    const failed = db.transaction(async tx => {
      await completeKey(tx, scope, { status: 201, body: '{}' });
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    expect(await claim(scope)).toEqual({ kind: 'running' });
  });
});

describe('claimOrWait', () => {
  it('waits for the first answer and replays it', async () => {
    const scope = newScope();
    const options = { ...scope, body: { appId: 'a' }, resourceId: 'content_1', leaseMs, now: start };
    await claim(scope);
    const waiting = claimOrWait(db, tx => claimKey(tx, options));
    await complete(scope, '{"data":1}');
    expect(await waiting).toEqual({ kind: 'replay', status: 201, body: '{"data":1}' });
  });

  it('409 with Retry-After when the first still runs at the end of the wait', async () => {
    const scope = newScope();
    const options = { ...scope, body: { appId: 'a' }, resourceId: 'content_1', leaseMs, now: start };
    await claim(scope);
    await expect(claimOrWait(db, tx => claimKey(tx, options), 60)).rejects.toMatchObject({
      code: 'invalid_request',
      status: 409,
      retryAfterSeconds: 2,
    });
  });
});

describe('pruneKeys', () => {
  it('removes what is past the window and nothing younger', async () => {
    const [old, young] = [newScope(), newScope()];
    await claim(old, { now: at(-10 * windowMs) });
    await claim(young, { now: at(-10 * windowMs + 1) });
    expect(await pruneKeys(db, at(-9 * windowMs))).toBe(1);
    const rows = await db.query('select account_id from idempotency_keys where account_id = any($1)', [
      [old.accountId, young.accountId],
    ]);
    expect(rows).toEqual([{ account_id: young.accountId }]);
  });
});

describe('canonicalJson', () => {
  it('is JSON with sorted names, whatever stands in it', () => {
    expect(canonicalJson({ b: [undefined, 'x"'], a: { d: 1e21, c: true } })).toBe(
      '{"a":{"c":true,"d":1e+21},"b":[null,"x\\""]}',
    );
    expect(canonicalJson(undefined)).toBe('null');
  });
});
