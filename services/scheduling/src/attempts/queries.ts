import type { Sql, Transaction } from '@hookline/shared/postgres';
import type { WriteContext } from '../context.ts';
import type { AttemptRow } from './record.ts';
import type { AttemptState } from './states.rules.ts';

const columns = `id, schedule_id as "scheduleId", open_id as "openId", state, publish_id as "publishId",
  pulled_at as "pulledAt", missing_slide as "missingSlide", started_at as "startedAt"`;

export function findAttempt(sql: Sql, id: string): Promise<AttemptRow | null> {
  return sql.row<AttemptRow>(`select ${columns} from attempts where id = $1`, [id]);
}

export function findOpenAttempt(sql: Sql, scheduleId: string): Promise<AttemptRow | null> {
  return sql.row<AttemptRow>(
    `select ${columns} from attempts
     where schedule_id = $1 and state in ('calling', 'unconfirmed', 'accepted')
     order by started_at desc limit 1`,
    [scheduleId],
  );
}

/**
 * The fence closes the attempt's links if no pull is recorded. From then on a late pull gets 404, so the call
 * can never become a post and a new one is safe. A recorded pull outweighs a refusal too.
 * @returns false if a slide was pulled: the call arrived and must not be repeated.
 */
export function fenceAttempt(
  { tx, now }: WriteContext,
  id: string,
  state: 'fenced' | 'refused' | 'unreachable' = 'fenced',
): Promise<boolean> {
  return tx.exists(
    `update attempts set state = $3, links_closed_at = $2
     where id = $1 and state = 'calling' and pulled_at is null
     returning 1`,
    [id, now, state],
  );
}

/** @returns false if the attempt is no longer open or has another id. */
export function setAttemptAccepted(
  tx: Transaction,
  { id, publishId }: { id: string; publishId: string },
  pollInMs: number,
): Promise<boolean> {
  return tx.exists(
    `update attempts
     set state = 'accepted', publish_id = $2, polls = 0,
       next_poll_at = clock_timestamp() + $3 * interval '1 ms'
     where id = $1 and state in ('calling', 'unconfirmed') and (publish_id is null or publish_id = $2)
     returning 1`,
    [id, publishId, pollInMs],
  );
}

/** An attempt that is over has closed links. */
export async function setAttemptState(
  { tx, now }: WriteContext,
  id: string,
  state: Exclude<AttemptState, 'calling' | 'fenced' | 'refused' | 'unreachable' | 'accepted'>,
  nextPollInMs: number | null = null,
): Promise<void> {
  await tx.query(
    `update attempts
     set state = $2, links_closed_at = case when $2 = 'unconfirmed' then null else coalesce(links_closed_at, $3) end,
       next_poll_at = clock_timestamp() + $4::float8 * interval '1 ms'
     where id = $1`,
    [id, state, now, nextPollInMs],
  );
}

/** An attempt with a recorded pull can no longer be fenced. */
export type MediaSlide = { attemptId: string; imageId: string; isPulled: boolean };

/** `slide` is counted from 1. */
export function findMediaSlide(sql: Sql, digest: Buffer, slide: number): Promise<MediaSlide | null> {
  return sql.row<MediaSlide>(
    `select a.id as "attemptId", a.image_ids[$2::integer] as "imageId", a.pulled_at is not null as "isPulled"
     from attempts a
     where a.media_digest = $1 and a.links_closed_at is null and a.image_ids[$2::integer] is not null`,
    [digest, slide],
  );
}

/** Commit it before the first byte is sent. @returns false if the links were closed since the lookup. */
export function recordPull(sql: Sql, attemptId: string, at: Date): Promise<boolean> {
  return sql.exists(
    `update attempts set pulled_at = coalesce(pulled_at, $2)
     where id = $1 and links_closed_at is null returning 1`,
    [attemptId, at],
  );
}

/** A missing file explains the failure that follows. */
export async function recordMissingSlide(sql: Sql, attemptId: string, slide: number): Promise<void> {
  const values = [attemptId, slide];
  await sql.query('update attempts set missing_slide = coalesce(missing_slide, $2) where id = $1', values);
}

/** Puts each off by `againInMs`, so that one process polls it at a time. */
export function claimPolls(sql: Sql, againInMs: number, countMax: number): Promise<AttemptRow[]> {
  return sql.query<AttemptRow>(
    `update attempts
     set next_poll_at = clock_timestamp() + $1 * interval '1 ms', polls = polls + 1
     where id in (
       select id from attempts where next_poll_at <= statement_timestamp()
       order by next_poll_at limit $2 for update skip locked
     )
     returning ${columns}`,
    [againInMs, countMax],
  );
}

export function findNextPollMs(sql: Sql): Promise<number | null> {
  return sql.value<number | null>(
    `select (extract(epoch from min(next_poll_at) - clock_timestamp()) * 1000)::float8 as ms
     from attempts where next_poll_at is not null`,
  );
}

/** The first pause is `stepMs` long; it doubles with every poll up to `stepMaxMs`. */
export async function setNextPoll(
  sql: Sql,
  id: string,
  { stepMs, stepMaxMs }: { stepMs: number; stepMaxMs: number },
): Promise<void> {
  await sql.query(
    `update attempts
     set next_poll_at = clock_timestamp() + least($2 * power(2, least(polls, 16)), $3) * interval '1 ms'
     where id = $1 and next_poll_at is not null`,
    [id, stepMs, stepMaxMs],
  );
}

export async function stopPolls(sql: Sql, id: string): Promise<void> {
  await sql.query('update attempts set next_poll_at = null where id = $1', [id]);
}

export function findAttemptByPublishId(sql: Sql, publishId: string): Promise<AttemptRow | null> {
  return sql.row<AttemptRow>(`select ${columns} from attempts where publish_id = $1`, [publishId]);
}

/** Any of these attempts may own an unknown publish id: they have none, and began between the two times. */
export function listAttemptsWithoutId(
  sql: Sql,
  openId: string,
  { since, until }: { since: Date; until: Date },
): Promise<AttemptRow[]> {
  return sql.query<AttemptRow>(
    `select ${columns} from attempts
     where open_id = $1 and publish_id is null and started_at > $2 and started_at <= $3
       and state in ('calling', 'unconfirmed', 'fenced', 'refused', 'unreachable', 'unknown')
     order by started_at`,
    [openId, since, until],
  );
}

/** A publish id that is learned late explains the platform's later reports. */
export async function setPublishIdOfClosed(tx: Transaction, id: string, publishId: string): Promise<void> {
  await tx.query(
    `update attempts set publish_id = $2
     where id = $1 and state in ('fenced', 'refused', 'unreachable') and publish_id is null`,
    [id, publishId],
  );
}

/**
 * The platform repeats its webhooks for at most 72 hours; attempts of withdrawn schedules stay for a week.
 */
export async function pruneWithdrawnAttempts(sql: Sql, now: Date, countMax: number): Promise<number> {
  const rows = await sql.query(
    `delete from attempts where id in (
       select id from attempts where schedule_id is null and started_at < $1::timestamptz - interval '7 days'
       order by started_at limit $2)
     returning 1`,
    [now, countMax],
  );
  return rows.length;
}

export type PlatformEventRow = { dedupeKey: string; event: string; openId: string; publishId: string | null };

/** @returns false if the platform sent this event before. */
export function insertPlatformEvent(tx: Transaction, row: PlatformEventRow, now: Date): Promise<boolean> {
  return tx.exists(
    `insert into platform_events (dedupe_key, event, open_id, publish_id, received_at)
     values ($1, $2, $3, $4, $5) on conflict do nothing returning 1`,
    [row.dedupeKey, row.event, row.openId, row.publishId, now],
  );
}

/** The platform repeats an event for at most 72 hours; events are kept for a week. */
export async function prunePlatformEvents(sql: Sql, now: Date, countMax: number): Promise<number> {
  const rows = await sql.query(
    `delete from platform_events where dedupe_key in (
       select dedupe_key from platform_events where received_at < $1::timestamptz - interval '7 days'
       order by received_at limit $2)
     returning 1`,
    [now, countMax],
  );
  return rows.length;
}
