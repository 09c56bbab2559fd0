import type { Sql, Transaction } from '@hookline/shared/postgres';
import type { ContentRow } from '../contents/record.ts';

export type OpenPermit = { scheduleId: string; grantedAt: Date };

/** `sequence` is that of the schedule's event, which does not release a permit granted after it. */
export type PermitEnd = { scheduleId: string; outcome: 'sent' | 'failed'; sequence: number };

export function findPermit(
  tx: Transaction,
  scheduleId: string,
): Promise<{ contentId: string; version: number } | null> {
  return tx.row<{ contentId: string; version: number }>(
    'select content_id as "contentId", version from send_permits where schedule_id = $1 and released_at is null',
    [scheduleId],
  );
}

/** @returns the texts of an older version; null unless the newest decision on it approved it */
export async function findApproved(
  tx: Transaction,
  contentId: string,
  version: number,
): Promise<Pick<ContentRow, 'version' | 'result'> | null> {
  const [row] = await tx.query<{ decision: string; result: ContentRow['result'] }>(
    `select decision, result from approvals where content_id = $1 and version = $2 order by decided_at desc limit 1`,
    [contentId, version],
  );
  return row?.decision === 'approved' ? { version, result: row.result } : null;
}

/**
 * Grants again after a failure. The content's row must be locked.
 * @returns false if the schedule has ended or waits again since the request
 */
export function grantPermit(
  tx: Transaction,
  permit: { scheduleId: string; contentId: string; version: number; afterSequence: number; at: Date },
): Promise<boolean> {
  return tx.exists(
    `with known as (select sequence from known_schedules where schedule_id = $1 for share)
     insert into send_permits (schedule_id, content_id, version, after_sequence, granted_at)
     select $1, $2, $3, $4, $5 where coalesce((select sequence from known), 0) <= $4
     on conflict (schedule_id) do update
       set version = excluded.version, after_sequence = excluded.after_sequence,
           granted_at = excluded.granted_at, released_at = null, outcome = null
     returning 1`,
    [permit.scheduleId, permit.contentId, permit.version, permit.afterSequence, permit.at],
  );
}

/**
 * Releases a permit. The post of a failed schedule that is found later counts as sent.
 * @param deadBefore whoever asked for a permit before this time is dead, and its schedule may have no later event
 * @returns false if it was released before, or granted again after the event
 */
export function markReleased(
  tx: Transaction,
  end: PermitEnd,
  at: Date,
  deadBefore: Date | null = null,
): Promise<boolean> {
  return tx.exists(
    `update send_permits set released_at = coalesce(released_at, $4), outcome = $2
     where schedule_id = $1 and (after_sequence < $3 or after_sequence = $3 and granted_at < $5)
       and (released_at is null or ($2 = 'sent' and outcome = 'failed')) returning 1`,
    [end.scheduleId, end.outcome, end.sequence, at, deadBefore],
  );
}

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

export function findPermitAgeSeconds(sql: Sql): Promise<number> {
  return sql.value<number>(
    `select coalesce(extract(epoch from now() - min(granted_at)), 0)::float8 as seconds
     from send_permits where released_at is null`,
  );
}
