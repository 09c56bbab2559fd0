import type { Sql, Transaction } from '@hookline/shared/postgres';
import { channels } from '../channels.ts';
import type { ContentRow } from '../contents/record.ts';

/**
 * `attempts` counts claims without an end, this one included; `waits`, how often it was put back. It is due when it is
 * queued, or at its turn in a list.
 */
export type ClaimedContent = {
  id: string;
  accountId: string;
  leaseToken: string;
  attempts: number;
  waits: number;
  dueAt: Date;
};

/**
 * Claims under a lease the content that has been due longest: queued, put back, or of a worker that died. The
 * token fences off a worker whose lease has expired.
 */
export function claimQueuedContent(
  sql: Sql,
  leaseToken: string,
  leaseMs: number,
): Promise<ClaimedContent | null> {
  return sql.row<ClaimedContent>(
    `update contents
     set status = 'running', lease_token = $1, lease_until = now() + $2 * interval '1 millisecond',
       attempts = attempts + 1
     where id = (
       select id from contents
       where status in ('queued', 'running') and (lease_until is null or lease_until < now())
       order by coalesce(lease_until, turn_at, created_at)
       limit 1
       for update skip locked
     )
     returning id, account_id as "accountId", lease_token as "leaseToken", attempts, waits,
       coalesce(turn_at, created_at) as "dueAt"`,
    [leaseToken, leaseMs],
  );
}

/** @returns false if the lease was lost and another worker ends the content */
export function finishClaimedContent(
  tx: Transaction,
  leaseToken: string,
  content: ContentRow,
): Promise<boolean> {
  return tx.exists(
    `update contents
     set status = $3, result = $4, cost_charged = $5, error_code = $6, error_message = $7,
         lease_token = null, lease_until = null, updated_at = $8, archetype = $9, language = $10,
         writer = $11, waits_because = $12, shown = $13, notice = $14, freshness = $15
     where id = $1 and lease_token = $2 and status = 'running'
     returning id`,
    [
      ...[content.id, leaseToken, content.status, content.result, content.costCharged, content.errorCode],
      ...[content.errorMessage, content.updatedAt, content.archetype, content.language, content.writer],
      ...[content.waitsBecause, content.shown, content.notice, content.freshness],
    ],
  );
}

/**
 * Puts a content back until the pause is over; the claim is not counted.
 * @returns false if the lease was lost
 */
export function putBackClaimedContent(
  tx: Transaction,
  { id, leaseToken }: ClaimedContent,
  pauseMs: number,
  waitsBecause: string,
): Promise<boolean> {
  return tx.exists(
    `update contents
     set status = 'queued', lease_token = null, lease_until = now() + $3 * interval '1 millisecond',
         attempts = attempts - 1, waits = waits + 1, waits_because = $4
     where id = $1 and lease_token = $2 and status = 'running'
     returning id`,
    [id, leaseToken, pauseMs, waitsBecause],
  );
}

/** Lets the content be claimed again after the pause; the claim is counted. */
export async function shortenLease(
  sql: Sql,
  { id, leaseToken }: ClaimedContent,
  pauseMs: number,
): Promise<void> {
  await sql.query(
    `update contents
     set status = 'queued', lease_token = null, lease_until = now() + $3 * interval '1 millisecond'
     where id = $1 and lease_token = $2 and status = 'running'`,
    [id, leaseToken, pauseMs],
  );
}

/**
 * Puts a content half a minute behind the one before it of the same account, among its lists or among its firings:
 * what others queue meanwhile goes first, and a worker that has nothing else to do does not wait. An item of a list
 * is half a minute behind whatever was queued with it.
 */
export function giveTurn(
  tx: Transaction,
  { id, accountId }: Pick<ContentRow, 'id' | 'accountId'>,
): Promise<Date> {
  return tx.value<Date>(
    `update contents c
     set turn_at = greatest(
       created_at + case when origin_firing_id is null then interval '30 seconds' else '0' end,
       (select max(turn_at) + interval '30 seconds' from contents o
        where o.account_id = $2 and o.status = 'queued' and (o.origin_firing_id is null) = (c.origin_firing_id is null)))
     where id = $1 returning turn_at as "turnAt"`,
    [id, accountId],
  );
}

export function notifyQueued(tx: Transaction): void {
  tx.notifyAfterCommit(channels.work);
}
