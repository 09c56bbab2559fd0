import { columnsOf, type Sql, type Transaction } from '@hookline/shared/postgres';

export type PostToRead = {
  scheduleId: string;
  contentId: string;
  accountId: string;
  platformAccountId: string;
  /** The account that posted it: an earlier connection of the same creator may have. */
  postedBy: string;
  postId: string;
  sentAt: Date;
  failures: number;
  misses: number;
};

/** Has the numbers of a post read from now on, if its account granted that. */
export async function readFromNow(tx: Transaction, scheduleId: string, now: Date): Promise<void> {
  await tx.query(
    `insert into post_readings (schedule_id, platform_account_id, next_at)
     select s.id, p.id, $2 from schedules s join platform_accounts p on p.id = s.platform_account_id
     where s.id = $1 and s.platform_post_id is not null and 'video.list' = any(p.scopes)
     on conflict do nothing`,
    [scheduleId, now],
  );
}

/**
 * An account was connected: its creator's newest posts are due at once, those of before the grant too, and those of
 * connections that were deleted since.
 */
export async function readPostsOf(tx: Transaction, platformAccountId: string, now: Date): Promise<void> {
  await tx.query(
    `insert into post_readings (schedule_id, platform_account_id, next_at)
     select s.id, p.id, $2
     from platform_accounts p cross join lateral (
       select id from schedules
       where platform_account_id in (
           select id from platform_accounts where account_id = p.account_id and open_id = p.open_id)
         and status <> 'sending' and platform_post_id is not null
       order by created_at desc, id desc limit 500) s
     where p.id = $1 and 'video.list' = any(p.scopes)
     on conflict (schedule_id) do update
     set platform_account_id = excluded.platform_account_id, next_at = excluded.next_at`,
    [platformAccountId, now],
  );
}

/**
 * Claims the post that has been due longest, with others of its account until the call is full. What was
 * refused again and again is asked for alone: it may be what spoilt the calls.
 */
export function claimPosts(
  sql: Sql,
  { now, until, countMax }: { now: Date; until: Date; countMax: number },
): Promise<PostToRead[]> {
  return sql.query<PostToRead>(
    `with first as materialized (
       select schedule_id, platform_account_id, failures > 2 as is_alone from post_readings
       where next_at <= $1 order by next_at limit 1 for update skip locked
     ), due as materialized (
       select r.schedule_id from post_readings r, first
       where r.platform_account_id = first.platform_account_id and r.next_at <= $1
         and (r.schedule_id = first.schedule_id or (not first.is_alone and r.failures <= 2))
       order by r.schedule_id <> first.schedule_id, r.next_at limit $3 for update of r skip locked
     )
     update post_readings r set next_at = $2
     from due, schedules s
     where r.schedule_id = due.schedule_id and s.id = r.schedule_id
     returning s.id as "scheduleId", s.content_id as "contentId", s.account_id as "accountId",
       r.platform_account_id as "platformAccountId", s.platform_account_id as "postedBy",
       s.platform_post_id as "postId", s.sent_at as "sentAt", r.failures, r.misses`,
    [now, until, countMax],
  );
}

export type NextReading = { scheduleId: string; nextAt: Date; failures: number; misses: number };

export async function saveNextReadings(sql: Sql, next: readonly NextReading[]): Promise<void> {
  await sql.query(
    `update post_readings r set next_at = n.next_at, failures = n.failures, misses = n.misses
     from unnest($1::text[], $2::timestamptz[], $3::integer[], $4::integer[])
       as n (schedule_id, next_at, failures, misses)
     where r.schedule_id = n.schedule_id`,
    columnsOf(next, 'scheduleId', 'nextAt', 'failures', 'misses'),
  );
}

/** The account has to be left alone: all of its posts that are due before then wait until then. */
export async function restUntil(sql: Sql, platformAccountId: string, until: Date): Promise<void> {
  await sql.query('update post_readings set next_at = $2 where platform_account_id = $1 and next_at < $2', [
    platformAccountId,
    until,
  ]);
}
