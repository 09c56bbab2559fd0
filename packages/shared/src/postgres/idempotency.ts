/**
 * Idempotency records: one row per (account, route, key), claimed before the work and completed in the
 * transaction of its effect (D-5 to D-7). Window 24 h.
 */
import { createHash } from 'node:crypto';
import { ApiError, invalidRequest } from '../contracts/index.ts';
import type { Database, Sql, Transaction } from './db.ts';

export const windowMs = 24 * 3_600_000;

export type IdempotencyScope = { accountId: string; route: string; key: string };

/**
 * The right to end the work of a key. Each take-over ends later than the one before it, so that the end of the
 * lease is its fence: who was slower than the lease can neither complete nor release the key of the next owner.
 */
export type KeyLease = IdempotencyScope & { resourceId: string; lockedUntil: Date };

export type Claim =
  /** The work is ours to do, under this id: the same id after a crash and a second try. */
  { kind: 'claimed'; resourceId: string; isResumed: boolean; lease: KeyLease } | Replay | { kind: 'running' };

/** The stored reply of the first request. `claimedAt` is when that one came. */
export type Replay = { kind: 'replay'; status: number; body: string; claimedAt: Date };

export type ClaimOptions = IdempotencyScope & {
  body: unknown;
  /** The id to fix for the work if the key is new. */
  resourceId: string;
  /** How long the work may take before another request may resume it. */
  leaseMs: number;
  now: Date;
};

type KeyRow = {
  bodyDigest: Buffer;
  resourceId: string;
  state: 'running' | 'done';
  lockedUntil: Date;
  createdAt: Date;
  status: number;
  body: string;
};

/**
 * Claims a key in the caller's transaction, which may go on to do the work and complete the key: then both are
 * committed together. Nobody waits in the database meanwhile: a repeat reads `running`.
 * @throws ApiError `invalid_request` when the key came with another body.
 */
export async function claimKey(tx: Transaction, options: ClaimOptions): Promise<Claim> {
  const { now, leaseMs, resourceId } = options;
  const digest = bodyDigest(options.body);
  const lockedUntil = new Date(now.getTime() + leaseMs);
  if (await insertKey(tx, options, digest, lockedUntil))
    return claimed(options, resourceId, lockedUntil, false);
  // A repeat only reads: fifty of them at once wait for nobody and leave no dead rows.
  const row = await findKey(tx, options);
  // Released between the two statements: the next look claims it.
  if (!row) return { kind: 'running' };
  if (row.createdAt.getTime() <= now.getTime() - windowMs) {
    const isOurs = await renewKey(tx, options, row, digest, lockedUntil);
    return isOurs ? claimed(options, resourceId, lockedUntil, false) : { kind: 'running' };
  }
  requireSameBody(row, digest);
  if (row.state === 'done') return replayOf(row);
  if (row.lockedUntil > now || !(await takeOverKey(tx, options, row, lockedUntil)))
    return { kind: 'running' };
  return claimed(options, row.resourceId, lockedUntil, true);
}

/**
 * The stored reply of a key, or null while there is none.
 * @throws ApiError `invalid_request` when the key came with another body.
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
  throw invalidRequest('Idempotency-Key was used with another body; send a new key for a new request');
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

async function insertKey(
  tx: Transaction,
  { accountId, route, key, resourceId, now }: ClaimOptions,
  digest: Buffer,
  lockedUntil: Date,
): Promise<boolean> {
  // A key that an open transaction has inserted would be waited for, with a connection each. The lock says no at once.
  const inserted = await tx.query(
    `insert into idempotency_keys (account_id, route, key, body_digest, resource_id, locked_until, created_at)
     select $1::text, $2::text, $3::text, $4::bytea, $5, $6::timestamptz, $7::timestamptz
     where pg_try_advisory_xact_lock(hashtextextended($1 || ' ' || $2 || ' ' || $3, 7215002))
     on conflict do nothing
     returning 1`,
    [accountId, route, key, digest, resourceId, lockedUntil, now],
  );
  return inserted.length > 0;
}

async function findKey(sql: Sql, scope: IdempotencyScope): Promise<KeyRow | undefined> {
  const rows = await sql.query<KeyRow>(
    `select body_digest as "bodyDigest", resource_id as "resourceId", state, locked_until as "lockedUntil",
       created_at as "createdAt", response_status as status, response_body as body
     from idempotency_keys where account_id = $1 and route = $2 and key = $3`,
    [scope.accountId, scope.route, scope.key],
  );
  return rows[0];
}

/** A record past its window becomes a new one, unless another request was first. */
async function renewKey(
  tx: Transaction,
  { accountId, route, key, resourceId, now }: ClaimOptions,
  seen: KeyRow,
  digest: Buffer,
  lockedUntil: Date,
): Promise<boolean> {
  const renewed = await tx.query(
    `update idempotency_keys
     set body_digest = $4, resource_id = $5, state = 'running', locked_until = $6, response_status = null,
         response_body = null, created_at = $7
     where account_id = $1 and route = $2 and key = $3 and resource_id = $8
     returning 1`,
    [accountId, route, key, digest, resourceId, lockedUntil, now, seen.resourceId],
  );
  return renewed.length > 0;
}

/** Takes the work of an owner whose lease is over, unless another request was first. */
async function takeOverKey(
  tx: Transaction,
  { accountId, route, key }: ClaimOptions,
  seen: KeyRow,
  lockedUntil: Date,
): Promise<boolean> {
  const taken = await tx.query(
    `update idempotency_keys set locked_until = $4
     where account_id = $1 and route = $2 and key = $3 and state = 'running'
       and resource_id = $5 and locked_until = $6
     returning 1`,
    [accountId, route, key, lockedUntil, seen.resourceId, seen.lockedUntil],
  );
  return taken.length > 0;
}

/**
 * Stores the reply in the transaction of the effect. Its row stays locked until the commit, so call it first:
 * a late owner then stops before it touches anything else.
 * @throws ApiError 409 `invalid_request` when another request took the key over; roll the effect back.
 */
export async function completeKey(
  tx: Transaction,
  lease: KeyLease,
  reply: { status: number; body: string },
): Promise<void> {
  const completed = await tx.query(
    `update idempotency_keys set state = 'done', response_status = $6, response_body = $7
     where account_id = $1 and route = $2 and key = $3 and state = 'running'
       and resource_id = $4 and locked_until = $5
     returning 1`,
    [...leaseValues(lease), reply.status, reply.body],
  );
  if (completed.length > 0) return;
  const message = 'Idempotency-Key: another request with this key has taken the work over; ask again';
  throw new ApiError('invalid_request', message, { status: 409, retryAfterSeconds: 1 });
}

/**
 * Gives the key back: the answer was a 4xx or 5xx, which is never stored (D-6).
 * @returns false when it is not ours any more: done, or taken over by another request.
 */
export async function releaseKey(sql: Sql, lease: KeyLease): Promise<boolean> {
  const released = await sql.query(
    `delete from idempotency_keys
     where account_id = $1 and route = $2 and key = $3 and state = 'running'
       and resource_id = $4 and locked_until = $5
     returning 1`,
    leaseValues(lease),
  );
  return released.length > 0;
}

function leaseValues({ accountId, route, key, resourceId, lockedUntil }: KeyLease): unknown[] {
  return [accountId, route, key, resourceId, lockedUntil];
}

/**
 * Claims, and where the first request still runs waits for its answer, up to `waitMs` (D-5: 10 s).
 * @throws ApiError 409 `invalid_request` with `Retry-After` when it is still running then.
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

/** Removes records past the window, at most 1,000 a call. @returns how many. */
export async function pruneKeys(sql: Sql, now: Date): Promise<number> {
  const rows = await sql.query(
    `delete from idempotency_keys where ctid in (
       select ctid from idempotency_keys where created_at <= $1 limit 1000) returning 1`,
    [new Date(now.getTime() - windowMs)],
  );
  return rows.length;
}

function bodyDigest(body: unknown): Buffer {
  return createHash('sha256').update(canonicalJson(body)).digest();
}

/** JSON with sorted object keys: equal bodies compare equal however they were written. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
    return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${canonicalJson(item)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
