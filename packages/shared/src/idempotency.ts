/**
 * Idempotency records: one row per (account, route, key), claimed before the work and completed in the
 * transaction of its effect (decisions 5 to 7). Window 24 h.
 */
import { createHash } from 'node:crypto';
import type { Database, Sql, Transaction } from './db.ts';
import { ApiError, invalidRequest } from './errors.ts';

export const windowMs = 24 * 3_600_000;

export type IdempotencyScope = { accountId: string; route: string; key: string };

export type Claim =
  /** The work is ours to do, under this id: the same id after a crash and a second try. */
  | { kind: 'claimed'; resourceId: string; isResumed: boolean }
  | { kind: 'replay'; status: number; body: string }
  | { kind: 'running' };

export type ClaimOptions = IdempotencyScope & {
  body: unknown;
  /** The id to fix for the work if the key is new. */
  resourceId: string;
  /** How long the work may take before another request may resume it. */
  leaseMs: number;
  now: Date;
};

/** Claims a key in the caller's transaction. @throws ApiError `invalid_request` when the key came with another body. */
export async function claimKey(tx: Transaction, options: ClaimOptions): Promise<Claim> {
  const digest = bodyDigest(options.body);
  const { accountId, route, key, now, leaseMs } = options;
  const lockedUntil = new Date(now.getTime() + leaseMs);
  const oldest = new Date(now.getTime() - windowMs);
  const inserted = await tx.query<{ resource_id: string }>(
    `insert into idempotency_keys as k (account_id, route, key, body_digest, resource_id, locked_until, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (account_id, route, key) do update
       set body_digest = excluded.body_digest, resource_id = excluded.resource_id, state = 'running',
           locked_until = excluded.locked_until, response_status = null, response_body = null,
           created_at = excluded.created_at
       where k.created_at <= $8
     returning resource_id`,
    [accountId, route, key, digest, options.resourceId, lockedUntil, now, oldest],
  );
  if (inserted[0]) return { kind: 'claimed', resourceId: inserted[0].resource_id, isResumed: false };
  const [row] = await tx.query<{
    body_digest: Buffer;
    resource_id: string;
    state: string;
    locked_until: Date;
    response_status: number;
    response_body: string;
  }>('select * from idempotency_keys where account_id = $1 and route = $2 and key = $3 for update', [
    accountId,
    route,
    key,
  ]);
  // Released between the two statements: the next look claims it.
  if (!row) return { kind: 'running' };
  if (!row.body_digest.equals(digest)) {
    throw invalidRequest('Idempotency-Key was used with another body; send a new key for a new request');
  }
  if (row.state === 'done') return { kind: 'replay', status: row.response_status, body: row.response_body };
  if (row.locked_until > now) return { kind: 'running' };
  await tx.query(
    'update idempotency_keys set locked_until = $4 where account_id = $1 and route = $2 and key = $3',
    [accountId, route, key, lockedUntil],
  );
  return { kind: 'claimed', resourceId: row.resource_id, isResumed: true };
}

/** Stores the reply in the transaction of the effect. */
export async function completeKey(
  tx: Transaction,
  scope: IdempotencyScope,
  reply: { status: number; body: string },
): Promise<void> {
  await tx.query(
    `update idempotency_keys set state = 'done', response_status = $4, response_body = $5
     where account_id = $1 and route = $2 and key = $3`,
    [scope.accountId, scope.route, scope.key, reply.status, reply.body],
  );
}

/** Gives the key back: the answer was a 4xx or 5xx, which is never stored (decision 6). */
export async function releaseKey(sql: Sql, scope: IdempotencyScope): Promise<void> {
  await sql.query(
    `delete from idempotency_keys where account_id = $1 and route = $2 and key = $3 and state = 'running'`,
    [scope.accountId, scope.route, scope.key],
  );
}

/**
 * Claims, and where the first request still runs waits for its answer, up to `waitMs` (decision 5: 10 s).
 * @throws ApiError 409 `invalid_request` with `Retry-After` when it is still running then.
 */
export async function claimOrWait<C extends { kind: string }>(
  db: Database,
  claim: (tx: Transaction) => Promise<C>,
  waitMs = 10_000,
): Promise<Exclude<C, { kind: 'running' }>> {
  const deadline = Date.now() + waitMs;
  for (let pauseMs = 25; ; pauseMs = Math.min(pauseMs * 2, 250)) {
    const result = await db.transaction(claim);
    if (result.kind !== 'running') return result as Exclude<C, { kind: 'running' }>;
    if (Date.now() + pauseMs > deadline) {
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
