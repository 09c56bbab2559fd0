import type { OwnFields } from '@hookline/shared/contracts/own-fields';
import { currentTraceparent, type Page, pageValues } from '@hookline/shared/kernel';
import { lockedInOrder, type Sql, type Transaction, withKey } from '@hookline/shared/postgres';
import type { WriteContext } from '../context.ts';
import { workspaceSends } from '../pauses/queries.ts';
import type { NewSchedule, ScheduleRow } from './record.ts';

export const scheduleColumns = `id, account_id as "accountId", platform_account_id as "platformAccountId", content_id as "contentId",
  content_version as "contentVersion", status, mode, privacy_level as "privacyLevel",
  scheduled_for as "scheduledFor", cover_image_id as "coverImageId", title, description, is_title_given as "hasOwnTitle",
  is_description_given as "hasOwnDescription", disable_comment as "disableComment",
  brand_organic as "brandOrganic", branded_content as "brandedContent", ai_generated as "aiGenerated",
  auto_add_music as "autoAddMusic", outcome, failure, platform_post_id as "platformPostId",
  platform_post_url as "platformPostUrl", sent_at as "sentAt", automation_id as "automationId",
  created_by as "createdBy", external_id as "externalId", metadata,
  firing_id as "firingId", is_immediate as "isImmediate", held_since as "heldSince", fence, tries,
  resends, request_id as "requestId", traceparent, created_at as "createdAt", updated_at as "updatedAt",
  slides_digest as "slidesDigest", is_compared as "isCompared",
  status = 'pending' and due_at is null as "isKeptBack",
  status = 'pending' and not (${workspaceSends('account_id')}) as "isStopped"`;

/** A post now is due by the database's clock, not by ours. */
export function insertSchedule(tx: Transaction, row: NewSchedule): Promise<ScheduleRow> {
  return tx.only<ScheduleRow>(
    `insert into schedules (id, account_id, platform_account_id, content_id, content_version, status, mode,
       privacy_level, scheduled_for, title, description, is_title_given, is_description_given, disable_comment,
       brand_organic, branded_content, ai_generated, auto_add_music, automation_id, firing_id, consented_at, key_id,
       request_id, is_immediate, due_at, traceparent, created_by, created_at, updated_at, key_ids,
       cover_image_id, external_id, metadata, slides_digest, is_compared)
     values ($1, $2, $3, $4, $5, 'pending', $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,
       $22, $23, case when $23 then least(clock_timestamp(), $8) else $8 end, $24, $25, $20, $20,
       nullif($26::text[], '{}'), $27, $28, $29, $30, $31)
     returning ${scheduleColumns}`,
    [
      ...[row.id, row.accountId, row.platformAccountId, row.contentId, row.contentVersion, row.mode],
      ...[row.privacyLevel, row.scheduledFor, row.title, row.description, row.hasOwnTitle],
      ...[row.hasOwnDescription, row.disableComment, row.brandOrganic, row.brandedContent, row.aiGenerated],
      ...[row.autoAddMusic, row.automationId, row.firingId, row.createdAt, row.keyId, row.requestId],
      ...[row.isImmediate, currentTraceparent(), row.createdBy && JSON.stringify(row.createdBy)],
      ...[row.keyIds, row.coverImageId, row.externalId, row.metadata, row.slidesDigest, row.isCompared],
    ],
  );
}

export function findSchedule(sql: Sql, accountId: string, id: string): Promise<ScheduleRow | null> {
  return sql.row<ScheduleRow>(`select ${scheduleColumns} from schedules where id = $1 and account_id = $2`, [
    id,
    accountId,
  ]);
}

export function findScheduleById(sql: Sql, id: string): Promise<ScheduleRow | null> {
  return sql.row<ScheduleRow>(`select ${scheduleColumns} from schedules where id = $1`, [id]);
}

/** @returns the caller's schedule, locked. */
export function lockSchedule(tx: Transaction, accountId: string, id: string): Promise<ScheduleRow | null> {
  return tx.row<ScheduleRow>(
    `select ${scheduleColumns} from schedules where id = $1 and account_id = $2 for update`,
    [id, accountId],
  );
}

export function lockScheduleById(tx: Transaction, id: string): Promise<ScheduleRow | null> {
  return tx.row<ScheduleRow>(`select ${scheduleColumns} from schedules where id = $1 for update`, [id]);
}

export type ScheduleFilter = {
  status?: string | undefined;
  contentId?: string | undefined;
  tiktokAccountId?: string | undefined;
  externalId?: string | undefined;
};

/** Lists the newest first, one row more than the page holds. */
export function listSchedules(
  sql: Sql,
  filter: ScheduleFilter & { accountId: string },
  page: Page,
): Promise<ScheduleRow[]> {
  return sql.query<ScheduleRow>(
    inBothParts(
      `account_id = $1
         and ($2::timestamptz is null or (created_at, id) < ($2, $3))
         and ($5::text is null or status = $5)
         and ($6::text is null or content_id = $6)
         and ($7::text is null or platform_account_id = $7)
         and ($8::text is null or external_id = $8)`,
      'created_at desc, id desc',
    ),
    [filter.accountId, ...pageValues(page), ...filterValues(filter)],
  );
}

/** Lists the earliest first, one row more than the page holds, without `until` itself. */
export function listSchedulesByTime(
  sql: Sql,
  filter: ScheduleFilter & { accountId: string; from: Date | null; until: Date | null },
  page: Page,
): Promise<ScheduleRow[]> {
  return sql.query<ScheduleRow>(
    inBothParts(
      `account_id = $1
         and ($2::timestamptz is null or (scheduled_for, id) > ($2, $3))
         and ($5::text is null or status = $5)
         and ($6::text is null or content_id = $6)
         and ($7::text is null or platform_account_id = $7)
         and ($8::text is null or external_id = $8)
         and ($9::timestamptz is null or scheduled_for >= $9)
         and ($10::timestamptz is null or scheduled_for < $10)`,
      'scheduled_for, id',
    ),
    [filter.accountId, ...pageValues(page), ...filterValues(filter), filter.from, filter.until],
  );
}

/** At most $4 rows. The indexes of lists leave out what is being sent, which has its own. */
function inBothParts(condition: string, order: string): string {
  const [others, sending] = ['<>', '='].map(
    is =>
      `(select * from schedules where ${condition} and status ${is} 'sending' order by ${order} limit $4)`,
  );
  return `select ${scheduleColumns} from (${others} union all ${sending}) listed order by ${order} limit $4`;
}

function filterValues({ status, contentId, tiktokAccountId, externalId }: ScheduleFilter): (string | null)[] {
  return [status ?? null, contentId ?? null, tiktokAccountId ?? null, externalId ?? null];
}

export function hasWaitingSchedule(sql: Sql, contentId: string, platformAccountId: string): Promise<boolean> {
  return sql.exists(
    `select 1 from schedules
     where content_id = $1 and platform_account_id = $2 and status in ('pending', 'sending', 'due')`,
    [contentId, platformAccountId],
  );
}

/** @returns true if the content was posted to the account, or may have been. */
export function wasSent(
  tx: Transaction,
  { contentId, platformAccountId }: Pick<NewSchedule, 'contentId' | 'platformAccountId'>,
): Promise<boolean> {
  return tx.exists(
    `select 1 from schedules where content_id = $1 and platform_account_id = $2
       and status <> 'sending' and (status = 'sent' or failure->>'code' = 'outcome_unknown')`,
    [contentId, platformAccountId],
  );
}

export type Slides = Pick<ScheduleRow, 'accountId' | 'platformAccountId' | 'contentId' | 'slidesDigest'>;
export type SlidesElsewhere = { scheduleId: string; at: Date };

/** Another content with these slides that the account has, may have had or will have within 90 days of this time. */
export function findSameSlides(
  sql: Sql,
  { accountId, platformAccountId, contentId, slidesDigest }: Slides,
  at: Date,
): Promise<SlidesElsewhere | null> {
  const has = `platform_account_id = $2 and slides_digest = $4 and content_id <> $3
    and scheduled_for > $5::timestamptz - interval '90 days' and scheduled_for < $5::timestamptz + interval '90 days'`;
  return sql.row<SlidesElsewhere>(
    `select id as "scheduleId", scheduled_for as at from schedules
     where ${has} and status <> 'sending' and (status <> 'failed' or failure->>'code' = 'outcome_unknown')
     union all
     select id, scheduled_for from schedules where account_id = $1 and status = 'sending' and ${has}
     limit 1`,
    [accountId, platformAccountId, contentId, slidesDigest, at],
  );
}

/**
 * Until the transaction ends, nobody else adds a schedule to the account, takes a slot of it or deletes it.
 * @returns false for a deleted account
 */
export function lockAccount(tx: Transaction, platformAccountId: string): Promise<boolean> {
  return tx.exists('select 1 from platform_accounts where id = $1 and deleted_at is null for no key update', [
    platformAccountId,
  ]);
}

export async function removeSchedule(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from schedules where id = $1', [id]);
}

/** A claim made for the old time finds the schedule not due and releases it. */
export function setScheduledFor(
  { tx, now }: WriteContext,
  id: string,
  { scheduledFor, keyId }: { scheduledFor: Date; keyId: string | null },
): Promise<ScheduleRow> {
  return tx.only<ScheduleRow>(
    `update schedules
     set status = 'pending', scheduled_for = $2, due_at = $2, held_since = null, is_immediate = false, updated_at = $3,
       tries = 0, resends = 0, key_ids = ${withKey('$4')}
     where id = $1 returning ${scheduleColumns}`,
    [id, scheduledFor, now, keyId],
  );
}

export function setOwnFields(
  { tx, now }: WriteContext,
  id: string,
  { externalId, metadata }: OwnFields,
): Promise<ScheduleRow> {
  return tx.only<ScheduleRow>(
    `update schedules set external_id = $2, metadata = $3, updated_at = $4 where id = $1 returning ${scheduleColumns}`,
    [id, externalId, metadata, now],
  );
}

/** It is kept back after a restore, and the change gives it no time. */
const staysBack = "status = 'pending' and due_at is null and scheduled_for = $6";

/** What made it stays; the request is a new consent. */
export function replaceSchedule({ tx, now }: WriteContext, row: NewSchedule): Promise<ScheduleRow> {
  return tx.only<ScheduleRow>(
    `update schedules set status = 'pending', platform_account_id = $2, content_version = $3, mode = $4, privacy_level = $5,
       scheduled_for = $6, due_at = case when ${staysBack} then null else $6::timestamptz end, title = $7, description = $8, is_title_given = $9,
       is_description_given = $10, disable_comment = $11, brand_organic = $12, branded_content = $13,
       ai_generated = $14, auto_add_music = $15, cover_image_id = $16, consented_at = $17, updated_at = $17,
       held_since = case when scheduled_for = $6 then held_since end, is_immediate = false, key_ids = ${withKey('$18')}, external_id = $19, metadata = $20,
       slides_digest = $21, is_compared = $22, tries = case when scheduled_for = $6 then tries else 0 end,
       resends = case when scheduled_for = $6 then resends else 0 end
     where id = $1 returning ${scheduleColumns}`,
    [
      ...[row.id, row.platformAccountId, row.contentVersion, row.mode, row.privacyLevel, row.scheduledFor],
      ...[row.title, row.description, row.hasOwnTitle, row.hasOwnDescription, row.disableComment],
      ...[row.brandOrganic, row.brandedContent, row.aiGenerated, row.autoAddMusic, row.coverImageId],
      ...[now, row.keyId, row.externalId, row.metadata, row.slidesDigest],
      row.isCompared,
    ],
  );
}

export function reopenSchedule(
  { tx, now }: WriteContext,
  id: string,
  keyId: string | null,
): Promise<ScheduleRow> {
  return tx.only<ScheduleRow>(
    `update schedules
     set status = 'pending', failure = null, scheduled_for = $2, due_at = least(clock_timestamp(), $2),
       held_since = null, lease_until = null, tries = 0, resends = 0, is_immediate = false, updated_at = $2,
       key_ids = ${withKey('$3')}
     where id = $1 returning ${scheduleColumns}`,
    [id, now, keyId],
  );
}

/**
 * Each part has its own index: what the key $2 made, and what it changed, or whose automation it made or
 * changed. The status is asked once more for a row that changes while its lock is awaited.
 */
const waitingOfKey = `select ${scheduleColumns} from schedules
  where status in ('pending', 'due') and id in (
    (select id from schedules
     where key_id = $2 and account_id = $1 and status in ('pending', 'due') order by id limit $3)
    union
    (select id from schedules
     where key_ids @> array[$2::text] and key_ids is not null and account_id = $1 and status in ('pending', 'due')
     order by id limit $3)
  ) order by id limit $3`;

export type WorkspaceKey = { accountId: string; keyId: string };

export function listWaitingOfKey(
  sql: Sql,
  { accountId, keyId }: WorkspaceKey,
  countMax: number,
): Promise<ScheduleRow[]> {
  return sql.query<ScheduleRow>(waitingOfKey, [accountId, keyId, countMax]);
}

export function lockWaitingOfKey(
  tx: Transaction,
  { accountId, keyId }: WorkspaceKey,
  countMax: number,
): Promise<ScheduleRow[]> {
  return tx.query<ScheduleRow>(`${waitingOfKey} for update`, [accountId, keyId, countMax]);
}

export function lockWaitingOfAccount(tx: Transaction, platformAccountId: string): Promise<ScheduleRow[]> {
  return tx.query<ScheduleRow>(
    `select ${scheduleColumns} from schedules
     where platform_account_id = $1 and status in ('pending', 'due') order by id for update`,
    [platformAccountId],
  );
}

export type Rejection = { content: { id: string; version: number }; sequence: number; at: Date };

/**
 * What waits for an older version, and what is or becomes due on a phone. An approval after the rejection keeps
 * a schedule, and so does a creation.
 */
export function lockEndedBy(tx: Transaction, { content, sequence, at }: Rejection): Promise<ScheduleRow[]> {
  return tx.query<ScheduleRow>(
    `select ${scheduleColumns} from schedules
     where content_id = $1 and status in ('pending', 'sending', 'due') and coalesce(approved_sequence, 0) < $3
       and (content_version < $2 and status <> 'sending'
         or mode = 'phone' and status <> 'pending' and created_at < $4)
     order by id for update`,
    [content.id, content.version, sequence, at],
  );
}

export async function recordApproval(
  tx: Transaction,
  { id, coverImageId }: { id: string; coverImageId: string | null },
  sequence: number,
): Promise<void> {
  await tx.query(
    `update schedules set approved_sequence = greatest(approved_sequence, $2),
       cover_image_id = case when approved_sequence > $2 then cover_image_id else $3 end
     where ${lockedInOrder('schedules', "content_id = $1 and status in ('pending', 'sending', 'due')")}`,
    [id, sequence, coverImageId],
  );
}

/** Decks that were scheduled before they were compared. */
export async function markCompared(
  tx: Transaction,
  accountId: string,
  contentIds: readonly string[],
): Promise<void> {
  await tx.query(
    `update schedules set is_compared = true where ${lockedInOrder(
      'schedules',
      "content_id = any($2::text[]) and account_id = $1 and status <> 'sending'",
    )}`,
    [accountId, contentIds],
  );
}

/** From here on it waits for its turn, not for a decision: see `isHeld`. What a restore keeps back stays. */
export async function makeHeldDue(tx: Transaction, contentId: string): Promise<void> {
  await tx.query(
    `update schedules set due_at = clock_timestamp(), tries = greatest(tries, 1) where ${lockedInOrder(
      'schedules',
      "content_id = $1 and held_since is not null and due_at is not null and status = 'pending'",
    )}`,
    [contentId],
  );
}

/** The row, which is the queue, must be locked within 5 s. Then the statement fails and changes nothing. */
export async function limitLockWait(tx: Transaction): Promise<void> {
  await tx.query("set local lock_timeout = '5s'");
}

/** The posts that wait for a time before `until`. */
export function countScheduled(sql: Sql, accountId: string, until: Date): Promise<number> {
  return sql.value<number>(
    `select count(*)::int as count from schedules
     where account_id = $1 and scheduled_for < $2 and status = 'pending'`,
    [accountId, until],
  );
}
