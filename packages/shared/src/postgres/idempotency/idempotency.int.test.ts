import { openTestDatabase } from '@hookline/testing/database';
import { perSuite } from '@hookline/testing/per-suite';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import { describe, expect, it } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import {
  type Claim,
  claimKey,
  claimOrWait,
  completeKey,
  pruneKeys,
  releaseKey,
  windowMs,
} from './idempotency.ts';
import type { IdempotencyScope, KeyLease } from './queries/keys.ts';

const start = new Date('2026-11-21T09:00:00.000Z');
const at = (ms: number): Date => new Date(start.getTime() + ms);
const leaseMs = 20_000;

const database = perSuite(createMigratedDatabase);
const db = perSuite(() => openTestDatabase(database.roleUrl('content'), 8));

function newScope(): IdempotencyScope {
  return { accountId: newId('acct'), route: 'POST /content', key: 'key 1' };
}

type Given = { now?: Date; body?: unknown; resourceId?: string };

function claim(scope: IdempotencyScope, given: Given = {}): Promise<Claim> {
  const { now = start, body = { appId: 'a' }, resourceId = newId('content') } = given;
  return db.transaction(tx => claimKey(tx, { ...scope, body, resourceId, leaseMs, now }));
}

/** Claims a key that is free. */
async function take(scope: IdempotencyScope, given: Given = {}): Promise<KeyLease> {
  const result = await claim(scope, given);
  if (result.kind !== 'claimed') throw new Error(`the key is ${result.kind}`);
  return result.lease;
}

function complete(lease: KeyLease, body: string): Promise<void> {
  return db.transaction(tx => completeKey(tx, lease, { status: 201, body }));
}

describe('claimKey', () => {
  it('gives a new key the id it was called with', async () => {
    const claimed = await claim(newScope(), { resourceId: 'content_1' });
    expect(claimed).toMatchObject({ kind: 'claimed', resourceId: 'content_1', isResumed: false });
  });

  it('replays the stored answer byte for byte', async () => {
    const scope = newScope();
    const body = '{"data":{"hook":"Ünï — 🎞 \\u2028",  "n": 1.10, "b":1,"a":2}}\n';
    await complete(await take(scope), body);
    expect(await claim(scope)).toMatchObject({ kind: 'replay', status: 201, body });
  });

  it('400 when the key comes with another body, before and after the answer is there', async () => {
    const scope = newScope();
    const refusal = {
      code: 'idempotency_key_reused',
      status: 400,
      message: expect.stringMatching(/^Idempotency-Key /),
    };
    const lease = await take(scope);
    await expect(claim(scope, { body: { appId: 'b' } })).rejects.toMatchObject(refusal);
    await complete(lease, '{}');
    await expect(claim(scope, { body: { appId: 'b' } })).rejects.toMatchObject(refusal);
    expect(await claim(scope)).toMatchObject({ kind: 'replay' });
  });

  it('takes a body for the same when only the order of its fields differs', async () => {
    const scope = newScope();
    await complete(await take(scope, { body: { a: 1, b: { c: [1, 2], d: null } } }), '{}');
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
    expect(resumed).toMatchObject({ kind: 'claimed', resourceId: 'content_first', isResumed: true });
    expect(await claim(scope, { now: at(2 * leaseMs - 1) })).toEqual({ kind: 'running' });
  });

  it('of ten that would resume one gets the work; of ten past the window one', async () => {
    const scope = newScope();
    await claim(scope);
    const claims = await Promise.all(Array.from({ length: 10 }, () => claim(scope, { now: at(leaseMs) })));
    expect(claims.filter(one => one.kind === 'claimed')).toHaveLength(1);
    const later = await Promise.all(Array.from({ length: 10 }, () => claim(scope, { now: at(windowMs) })));
    expect(later.filter(one => one.kind === 'claimed')).toHaveLength(1);
  });

  it('remembers for 24 h to the millisecond; then the key is new, whatever the body', async () => {
    const scope = newScope();
    expect(windowMs).toBe(24 * 3_600_000);
    await complete(await take(scope, { resourceId: 'content_old' }), '{}');
    expect(await claim(scope, { now: at(windowMs - 1) })).toMatchObject({ kind: 'replay' });
    const later = { now: at(windowMs), body: { appId: 'b' }, resourceId: 'content_new' };
    expect(await claim(scope, later)).toMatchObject({
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
    expect(await releaseKey(db, await take(scope, { resourceId: 'content_1' }))).toBe(true);
    const again = await claim(scope, { body: { appId: 'b' }, resourceId: 'content_2' });
    expect(again).toMatchObject({ kind: 'claimed', resourceId: 'content_2' });
  });

  it('never takes away an answer that is stored', async () => {
    const scope = newScope();
    const lease = await take(scope);
    await complete(lease, '{}');
    expect(await releaseKey(db, lease)).toBe(false);
    expect(await claim(scope)).toMatchObject({ kind: 'replay' });
  });

  it('never takes away the work of another request that has taken the key over', async () => {
    const scope = newScope();
    const late = await take(scope);
    await take(scope, { now: at(leaseMs) });
    expect(await releaseKey(db, late)).toBe(false);
    expect(await claim(scope, { now: at(leaseMs + 1) })).toEqual({ kind: 'running' });
  });
});

describe('completeKey', () => {
  it('stores nothing when the transaction of the effect rolls back', async () => {
    const scope = newScope();
    const lease = await take(scope);
    const failed = db.transaction(async tx => {
      await completeKey(tx, lease, { status: 201, body: '{}' });
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    expect(await claim(scope)).toEqual({ kind: 'running' });
  });

  const lost = { code: 'invalid_request', status: 409, retryAfterSeconds: 1 };

  it('409 for an owner that was slower than its lease, before and after the next one is done', async () => {
    const scope = newScope();
    const late = await take(scope, { resourceId: 'content_first' });
    const next = await take(scope, { now: at(leaseMs) });
    expect(next.resourceId).toBe('content_first');
    await expect(complete(late, '"late"')).rejects.toMatchObject(lost);
    await complete(next, '"next"');
    await expect(complete(late, '"late"')).rejects.toMatchObject(lost);
    expect(await claim(scope)).toMatchObject({ kind: 'replay', status: 201, body: '"next"' });
  });

  it('409 for an owner whose key was released and claimed again at the same instant', async () => {
    const scope = newScope();
    const late = await take(scope);
    await releaseKey(db, late);
    await take(scope);
    await expect(complete(late, '{}')).rejects.toMatchObject(lost);
  });

  it('409 for an owner whose record is past its window and belongs to a new request', async () => {
    const scope = newScope();
    const late = await take(scope);
    const next = await take(scope, { now: at(windowMs) });
    await expect(complete(late, '{}')).rejects.toMatchObject(lost);
    await complete(next, '{}');
  });

  it('of an owner and a take-over at the same moment one wins, fifty times', async () => {
    for (let round = 0; round < 50; round += 1) {
      const scope = newScope();
      const late = await take(scope);
      const [completed, taken] = await Promise.all([
        complete(late, '"first"').then(
          () => true,
          () => false,
        ),
        claim(scope, { now: at(leaseMs) }),
      ]);
      expect([completed, taken.kind]).toSatisfy(([isDone, kind]) =>
        isDone ? kind !== 'claimed' : kind === 'claimed',
      );
    }
  });
});

describe('claimOrWait', () => {
  it('waits for the first answer and replays it', async () => {
    const scope = newScope();
    const options = { ...scope, body: { appId: 'a' }, resourceId: 'content_1', leaseMs, now: start };
    const lease = await take(scope);
    const waiting = claimOrWait(db, tx => claimKey(tx, options));
    await complete(lease, '{"data":1}');
    expect(await waiting).toMatchObject({ kind: 'replay', status: 201, body: '{"data":1}' });
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
