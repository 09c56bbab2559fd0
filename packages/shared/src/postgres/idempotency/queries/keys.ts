/** SQL of the idempotency records. */
import { pruneBatch } from '../../../kernel/index.ts';
import type { Sql, Transaction } from '../../db.ts';

export type IdempotencyScope = { accountId: string; route: string; key: string };

/**
 * The right to complete a key's work. Each take-over ends later than the one before it, so the end of the
 * lease is its fence: an owner slower than its lease can neither complete nor release the next owner's key.
 */
export type KeyLease = IdempotencyScope & { resourceId: string; lockedUntil: Date };

export type KeyRow = {
  bodyDigest: Buffer;
  resourceId: string;
  state: 'running' | 'done';
  lockedUntil: Date;
  createdAt: Date;
  status: number;
  body: string;
};

export type NewKey = IdempotencyScope & {
  resourceId: string;
  digest: Buffer;
  lockedUntil: Date;
  now: Date;
};

/** @returns false when the key exists, or another transaction is about to insert it. */
export function insertKey(
  tx: Transaction,
  { accountId, route, key, resourceId, digest, lockedUntil, now }: NewKey,
): Promise<boolean> {
  // Without the lock, each repeat would hold a connection until the transaction that inserted the key ends.
  return tx.exists(
    `insert into idempotency_keys (account_id, route, key, body_digest, resource_id, locked_until, created_at)
     select $1::text, $2::text, $3::text, $4::bytea, $5, $6::timestamptz, $7::timestamptz
     where pg_try_advisory_xact_lock(hashtextextended($1 || ' ' || $2 || ' ' || $3, 7215002))
     on conflict do nothing
     returning 1`,
    [accountId, route, key, digest, resourceId, lockedUntil, now],
  );
}

export async function findKey(sql: Sql, scope: IdempotencyScope): Promise<KeyRow | undefined> {
  const rows = await sql.query<KeyRow>(
    `select body_digest as "bodyDigest", resource_id as "resourceId", state, locked_until as "lockedUntil",
       created_at as "createdAt", response_status as status, response_body as body
     from idempotency_keys where account_id = $1 and route = $2 and key = $3`,
    [scope.accountId, scope.route, scope.key],
  );
  return rows[0];
}

/** Turns a record past its window into a new one. @returns false when another request was first. */
export function renewKey(
  tx: Transaction,
  { accountId, route, key, resourceId, digest, lockedUntil, now }: NewKey,
  seen: KeyRow,
): Promise<boolean> {
  return tx.exists(
    `update idempotency_keys
     set body_digest = $4, resource_id = $5, state = 'running', locked_until = $6, response_status = null,
         response_body = null, created_at = $7
     where account_id = $1 and route = $2 and key = $3 and resource_id = $8
     returning 1`,
    [accountId, route, key, digest, resourceId, lockedUntil, now, seen.resourceId],
  );
}

/** Takes over a key whose lease has expired. @returns false when another request was first. */
export function takeOverKey(
  tx: Transaction,
  { accountId, route, key }: IdempotencyScope,
  seen: KeyRow,
  lockedUntil: Date,
): Promise<boolean> {
  return tx.exists(
    `update idempotency_keys set locked_until = $4
     where account_id = $1 and route = $2 and key = $3 and state = 'running'
       and resource_id = $5 and locked_until = $6
     returning 1`,
    [accountId, route, key, lockedUntil, seen.resourceId, seen.lockedUntil],
  );
}

/** Stores the reply. @returns false when the lease no longer holds the key. */
export function finishKey(
  tx: Transaction,
  lease: KeyLease,
  reply: { status: number; body: string },
): Promise<boolean> {
  return tx.exists(
    `update idempotency_keys set state = 'done', response_status = $6, response_body = $7
     where account_id = $1 and route = $2 and key = $3 and state = 'running'
       and resource_id = $4 and locked_until = $5
     returning 1`,
    [...leaseValues(lease), reply.status, reply.body],
  );
}

/** @returns false when the lease no longer holds the key. */
export function deleteKey(sql: Sql, lease: KeyLease): Promise<boolean> {
  return sql.exists(
    `delete from idempotency_keys
     where account_id = $1 and route = $2 and key = $3 and state = 'running'
       and resource_id = $4 and locked_until = $5
     returning 1`,
    leaseValues(lease),
  );
}

function leaseValues({ accountId, route, key, resourceId, lockedUntil }: KeyLease): unknown[] {
  return [accountId, route, key, resourceId, lockedUntil];
}

/** Deletes records created by `time`, at most 1,000 per call. @returns the number deleted */
export async function pruneKeysBefore(sql: Sql, time: Date): Promise<number> {
  const rows = await sql.query(
    `delete from idempotency_keys where ctid in (
       select ctid from idempotency_keys where created_at <= $1 limit ${pruneBatch}) returning 1`,
    [time],
  );
  return rows.length;
}
