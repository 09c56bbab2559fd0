import type { Sql, Transaction } from '@hookline/shared/postgres';
import type { OpenPermit, PermitEnd, SendState } from '../records/permit.ts';

/** The version that a schedule may send, or null. */
export async function findPermit(
  tx: Transaction,
  scheduleId: string,
): Promise<{ contentId: string; version: number } | null> {
  const [row] = await tx.query<{ contentId: string; version: number }>(
    'select content_id as "contentId", version from send_permits where schedule_id = $1 and released_at is null',
    [scheduleId],
  );
  return row ?? null;
}

/**
 * A schedule that is retried after a failure gets a new grant. The content's row must be locked.
 * @returns false if the schedule has ended or waits again since the request was made.
 */
export async function grantPermit(
  tx: Transaction,
  permit: { scheduleId: string; contentId: string; version: number; afterSequence: number; at: Date },
): Promise<boolean> {
  const granted = await tx.query(
    `with known as (select sequence from known_schedules where schedule_id = $1 for share)
     insert into send_permits (schedule_id, content_id, version, after_sequence, granted_at)
     select $1, $2, $3, $4, $5 where coalesce((select sequence from known), 0) <= $4
     on conflict (schedule_id) do update
       set version = excluded.version, after_sequence = excluded.after_sequence,
           granted_at = excluded.granted_at, released_at = null, outcome = null
     returning 1`,
    [permit.scheduleId, permit.contentId, permit.version, permit.afterSequence, permit.at],
  );
  return granted.length > 0;
}

/**
 * Releases a permit. If the post of a failed schedule is found later, it counts as sent.
 * @returns false if it was released before, or granted again after the event: that permit belongs to a retry.
 */
export async function markReleased(tx: Transaction, end: PermitEnd, at: Date): Promise<boolean> {
  const released = await tx.query(
    `update send_permits set released_at = coalesce(released_at, $4), outcome = $2
     where schedule_id = $1 and after_sequence < $3
       and (released_at is null or ($2 = 'sent' and outcome = 'failed')) returning 1`,
    [end.scheduleId, end.outcome, end.sequence, at],
  );
  return released.length > 0;
}

/** The state of a content's schedules; `sending` takes precedence over `sent`. */
export async function findSendState(sql: Sql, contentId: string): Promise<SendState> {
  const [row] = await sql.query<{ open: boolean | null; sent: boolean | null }>(
    `select bool_or(released_at is null) as open, bool_or(outcome = 'sent') as sent
     from send_permits where content_id = $1`,
    [contentId],
  );
  if (row?.open) return 'sending';
  return row?.sent ? 'sent' : 'none';
}

/** Open permits granted before the given time, oldest first, after the given one. */
export function listOpenPermits(
  sql: Sql,
  before: Date,
  after: OpenPermit | null,
  limit: number,
): Promise<OpenPermit[]> {
  return sql.query<OpenPermit>(
    `select schedule_id as "scheduleId", granted_at as "grantedAt" from send_permits
     where released_at is null and granted_at < $1
       and ($2::timestamptz is null or (granted_at, schedule_id) > ($2, $3))
     order by granted_at, schedule_id limit $4`,
    [before, after?.grantedAt ?? null, after?.scheduleId ?? null, limit],
  );
}
