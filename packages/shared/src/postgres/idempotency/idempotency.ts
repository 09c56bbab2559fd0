/**
 * Idempotency records: one row per (account, route, key), claimed before the work and completed in the
 * transaction of its effect (D-5 to D-7). Window 24 h.
 */
import { stringify } from 'safe-stable-stringify';
import { ApiError } from '../../contracts/index.ts';
import { dayMs, sha256 } from '../../kernel/index.ts';
import type { Database, Sql, Transaction } from '../db.ts';
import {
  deleteKey,
  findKey,
  finishKey,
  type IdempotencyScope,
  insertKey,
  type KeyLease,
  type KeyRow,
  pruneKeysBefore,
  renewKey,
  takeOverKey,
} from './queries/keys.ts';

export const windowMs = dayMs;

export type Claim =
  /** The caller does the work under this id, which stays the same after a crash and a second attempt. */
  { kind: 'claimed'; resourceId: string; isResumed: boolean; lease: KeyLease } | Replay | { kind: 'running' };

/** The stored reply of the first request, which arrived at `claimedAt`. */
export type Replay = { kind: 'replay'; status: number; body: string; claimedAt: Date };

export type ClaimOptions = IdempotencyScope & {
  body: unknown;
  /** The id assigned to the work if the key is new. */
  resourceId: string;
  /** Time the work may take before another request may resume it. */
  leaseMs: number;
  now: Date;
};

/**
 * Claims a key in the caller's transaction, which may also do the work and complete the key: both are then
 * committed together. A repeat does not wait in the database: it reads `running`.
 * @throws ApiError `idempotency_key_reused` when the key was used with another body
 */
export async function claimKey(tx: Transaction, options: ClaimOptions): Promise<Claim> {
  const { now, leaseMs, resourceId } = options;
  const digest = bodyDigest(options.body);
  const lockedUntil = new Date(now.getTime() + leaseMs);
  if (await insertKey(tx, { ...options, digest, lockedUntil }))
    return claimed(options, resourceId, lockedUntil, false);
  // A repeat only reads: fifty of them at once do not block each other and leave no dead rows.
  const row = await findKey(tx, options);
  // Released between the two statements: the next attempt claims it.
  if (!row) return { kind: 'running' };
  if (row.createdAt.getTime() <= now.getTime() - windowMs) {
    const isOurs = await renewKey(tx, { ...options, digest, lockedUntil }, row);
    return isOurs ? claimed(options, resourceId, lockedUntil, false) : { kind: 'running' };
  }
  requireSameBody(row, digest);
  if (row.state === 'done') return replayOf(row);
  if (row.lockedUntil > now || !(await takeOverKey(tx, options, row, lockedUntil)))
    return { kind: 'running' };
  return claimed(options, row.resourceId, lockedUntil, true);
}

/**
 * The stored reply of a key, or null when there is none.
 * @throws ApiError `idempotency_key_reused` when the key was used with another body
 */
export async function findReply(
  sql: Sql,
  scope: IdempotencyScope,
  body: unknown,
  now: Date,
): Promise<Replay | null> {
  const row = await findKey(sql, scope);
  if (!row || row.createdAt.getTime() <= now.getTime() - windowMs) return null;
  requireSameBody(row, bodyDigest(body));
  return row.state === 'done' ? replayOf(row) : null;
}

function requireSameBody(row: KeyRow, digest: Buffer): void {
  if (row.bodyDigest.equals(digest)) return;
  throw new ApiError('idempotency_key_reused');
}

function replayOf({ status, body, createdAt }: KeyRow): Replay {
  return { kind: 'replay', status, body, claimedAt: createdAt };
}

function claimed(scope: IdempotencyScope, resourceId: string, lockedUntil: Date, isResumed: boolean): Claim {
  const { accountId, route, key } = scope;
  return {
    kind: 'claimed',
    resourceId,
    isResumed,
    lease: { accountId, route, key, resourceId, lockedUntil },
  };
}

/**
 * Stores the reply in the transaction of the effect. Its row stays locked until the commit, so call it first:
 * a late owner then stops before it changes anything else.
 * @throws ApiError 409 `invalid_request` when another request took the key over; roll the effect back
 */
export async function completeKey(
  tx: Transaction,
  lease: KeyLease,
  reply: { status: number; body: string },
): Promise<void> {
  if (await finishKey(tx, lease, reply)) return;
  const message = 'Idempotency-Key: another request with this key has taken over the work; send it again';
  throw new ApiError('invalid_request', message, { status: 409, retryAfterSeconds: 1 });
}

/**
 * Releases the key after a 4xx or 5xx, which is never stored (D-6).
 * @returns false when the key is no longer held under this lease: completed, or taken over by another request
 */
export function releaseKey(sql: Sql, lease: KeyLease): Promise<boolean> {
  return deleteKey(sql, lease);
}

/**
 * Claims a key. While the first request still runs, waits for its answer up to `waitMs` (D-5: 10 s).
 * @throws ApiError 409 `invalid_request` with `Retry-After` when it is still running after that
 */
export async function claimOrWait<C extends { kind: string }>(
  db: Database,
  claim: (tx: Transaction) => Promise<C>,
  waitMs = 10_000,
): Promise<Exclude<C, { kind: 'running' }>> {
  const deadlineMs = performance.now() + waitMs;
  for (let pauseMs = 25; ; pauseMs = Math.min(pauseMs * 2, 250)) {
    const result = await db.transaction(claim);
    if (result.kind !== 'running') return result as Exclude<C, { kind: 'running' }>;
    if (performance.now() + pauseMs > deadlineMs) {
      throw new ApiError(
        'invalid_request',
        'Idempotency-Key: the first request with this key is still running',
        {
          status: 409,
          retryAfterSeconds: 2,
        },
      );
    }
    await new Promise(resolve => setTimeout(resolve, pauseMs));
  }
}

/** Deletes records past the window, at most 1,000 per call. @returns the number deleted */
export function pruneKeys(sql: Sql, now: Date): Promise<number> {
  return pruneKeysBefore(sql, new Date(now.getTime() - windowMs));
}

function bodyDigest(body: unknown): Buffer {
  return sha256(canonicalJson(body));
}

/**
 * JSON with sorted object keys, so that equal bodies compare equal. Stored fingerprints use it: its output
 * must not change while a row lives (24 h).
 */
export function canonicalJson(value: unknown): string {
  return stringify(value) ?? 'null';
}
