import { type Page, pageValues } from '@hookline/shared/kernel';
import {
  columnsOf,
  lockedInOrder,
  lockForCount,
  type Sql,
  type Transaction,
  withKey,
} from '@hookline/shared/postgres';
import { channels } from '../channels.ts';
import type { AutomationRow } from './record.ts';

const columns = `id, account_id as "accountId", app_id as "appId", tiktok_account_id as "tiktokAccountId",
  format, posting_times as "postingTimes", timezone, brief, topics, topic_index as "topicIndex", until,
  max_firings as "maxFirings", firings_made as "firingsMade", nothing_new_since as "nothingNewSince", approval_mode as "approvalMode",
  posting_mode as "postingMode", privacy_level as "privacyLevel", status, next_fire_at as "nextFireAt",
  created_by as "createdBy", author_id as "authorId", confirmed_by as "confirmedBy",
  awaits_confirmation as "awaitsConfirmation", external_id as "externalId", metadata,
  deleted_at as "deletedAt", created_at as "createdAt", updated_at as "updatedAt"`;

/** No other transaction counts the automations of the account until this one ends. */
export async function lockCountOfAutomations(tx: Transaction, accountId: string): Promise<number> {
  await lockForCount(tx, 'automations', accountId);
  return await tx.value<number>(
    'select count(*)::int as count from automations where account_id = $1 and deleted_at is null',
    [accountId],
  );
}

export async function insertAutomation(sql: Sql, row: AutomationRow, keyId: string | null): Promise<void> {
  await sql.query(
    `with written as (
       insert into automations (id, account_id, app_id, tiktok_account_id, format, posting_times, timezone, brief,
         approval_mode, posting_mode, privacy_level, status, next_fire_at, created_by, key_ids, created_at,
         updated_at, author_id, awaits_confirmation, topics, until, max_firings, external_id, metadata)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $15, array_remove(array[$16::text], null), $14,
         $14, $17, $18, $19, $20, $21, $22, $23)
     )
     select pg_notify('${channels.plans}', '')`,
    [
      ...[row.id, row.accountId, row.appId, row.tiktokAccountId, row.format],
      ...[JSON.stringify(row.postingTimes), row.timezone, row.brief && JSON.stringify(row.brief)],
      ...[row.approvalMode, row.postingMode, row.privacyLevel, row.status, row.nextFireAt, row.createdAt],
      ...[row.createdBy && JSON.stringify(row.createdBy), keyId, row.authorId, row.awaitsConfirmation],
      ...[row.topics, row.until, row.maxFirings, row.externalId, row.metadata],
    ],
  );
}

export async function updateAutomation(
  tx: Transaction,
  row: AutomationRow,
  keyId: string | null,
): Promise<void> {
  await tx.query(
    `with written as (
       update automations set posting_times = $2, timezone = $3, brief = $4, approval_mode = $5,
         posting_mode = $6, privacy_level = $7, status = $8, next_fire_at = $9, updated_at = $10,
         key_ids = ${withKey('$11')}, author_id = $12, confirmed_by = $13, awaits_confirmation = $14,
         topics = $15, topic_index = $16, until = $17, max_firings = $18, nothing_new_since = $19,
         external_id = $20, metadata = $21
       where id = $1
     )
     select pg_notify('${channels.plans}', '')`,
    [
      ...[row.id, JSON.stringify(row.postingTimes), row.timezone, row.brief && JSON.stringify(row.brief)],
      ...[row.approvalMode, row.postingMode, row.privacyLevel, row.status, row.nextFireAt, row.updatedAt],
      ...[keyId, row.authorId, row.confirmedBy && JSON.stringify(row.confirmedBy), row.awaitsConfirmation],
      ...[row.topics, row.topicIndex, row.until, row.maxFirings, row.nothingNewSince, row.externalId],
      row.metadata,
    ],
  );
}

/** Writes what `moveOn` changes. Only an end is a change that `updated_at` tells. */
export async function writeProgress(
  tx: Transaction,
  rows: readonly Pick<AutomationRow, 'id' | 'nextFireAt' | 'status' | 'firingsMade' | 'topicIndex'>[],
  now: Date,
): Promise<void> {
  await tx.query(
    `update automations a set next_fire_at = next.at, status = next.status, firings_made = next.made,
       topic_index = next.topic, updated_at = case when next.status = a.status then a.updated_at else $6 end
     from unnest($1::text[], $2::timestamptz[], $3::text[], $4::integer[], $5::integer[])
       as next (id, at, status, made, topic)
     where a.id = next.id`,
    [...columnsOf(rows, 'id', 'nextFireAt', 'status', 'firingsMade', 'topicIndex'), now],
  );
}

export function findAutomation(sql: Sql, accountId: string, id: string): Promise<AutomationRow | null> {
  return sql.row<AutomationRow>(
    `select ${columns} from automations where id = $1 and account_id = $2 and deleted_at is null`,
    [id, accountId],
  );
}

export async function lockAutomation(
  tx: Transaction,
  accountId: string,
  id: string,
): Promise<AutomationRow | null> {
  const row = await lockAnyAutomation(tx, accountId, id);
  return row?.deletedAt ? null : row;
}

/** The saga of a firing locks even a deleted automation. */
export function lockAnyAutomation(
  tx: Transaction,
  accountId: string,
  id: string,
): Promise<AutomationRow | null> {
  return tx.row<AutomationRow>(
    `select ${columns} from automations where id = $1 and account_id = $2 for update`,
    [id, accountId],
  );
}

/** The automations that have been due longest come first. Nothing is locked. */
export function listDueAutomations(
  sql: Sql,
  now: Date,
  passOver: number,
  limit: number,
): Promise<AutomationRow[]> {
  return sql.query<AutomationRow>(
    `select ${columns} from automations where next_fire_at <= $1
     order by next_fire_at, id offset $2 limit $3`,
    [now, passOver, limit],
  );
}

export function lockDueOf(tx: Transaction, ids: readonly string[], now: Date): Promise<AutomationRow[]> {
  return tx.query<AutomationRow>(
    `select ${columns} from automations where id = any ($1) and next_fire_at <= $2
     order by id for update skip locked`,
    [ids, now],
  );
}

export function lockDueAutomations(tx: Transaction, now: Date, limit: number): Promise<AutomationRow[]> {
  return tx.query<AutomationRow>(
    `select ${columns} from automations where next_fire_at <= $1
     order by next_fire_at limit $2 for update skip locked`,
    [now, limit],
  );
}

/** A change, or a version that can settle it, arms it again. */
export async function disarmAutomation(tx: Transaction, id: string): Promise<void> {
  await tx.query('update automations set next_fire_at = null where id = $1', [id]);
}

/** A deck of it was made. */
export async function clearNothingNew(tx: Transaction, id: string): Promise<void> {
  await tx.query(
    'update automations set nothing_new_since = null where id = $1 and nothing_new_since is not null',
    [id],
  );
}

// An active automation always has a next slot, unless it was set aside.
const isSetAside = `status = 'active' and deleted_at is null and next_fire_at is null`;

export function listSetAside(sql: Sql, afterId: string, limit: number): Promise<AutomationRow[]> {
  return sql.query<AutomationRow>(
    `select ${columns} from automations where ${isSetAside} and id > $1 order by id limit $2`,
    [afterId, limit],
  );
}

/** @returns false if it is no longer set aside, or was changed since it was read */
export function armAutomation(
  sql: Sql,
  { id, updatedAt, status, nextFireAt }: AutomationRow,
): Promise<boolean> {
  return sql.exists(
    `with armed as (
       update automations set next_fire_at = $3, status = $4
       where id = $1 and updated_at = $2 and ${isSetAside} returning id
     )
     select pg_notify('${channels.plans}', '') from armed`,
    [id, updatedAt, nextFireAt, status],
  );
}

export function countSetAside(sql: Sql): Promise<number> {
  return sql.value<number>(`select count(*)::int as count from automations where ${isSetAside}`);
}

export function findNextFireAt(sql: Sql, after: Date): Promise<Date | null> {
  return sql.value<Date | null>('select min(next_fire_at) as at from automations where next_fire_at > $1', [
    after,
  ]);
}

export function listAutomations(
  sql: Sql,
  accountId: string,
  {
    status,
    appId,
    externalId,
    page,
  }: { status?: string | undefined; appId?: string | undefined; externalId?: string | undefined; page: Page },
): Promise<AutomationRow[]> {
  return sql.query<AutomationRow>(
    `select ${columns} from automations
     where account_id = $1 and deleted_at is null
       and ($2::text is null or status = $2) and ($3::text is null or app_id = $3)
       and ($4::text is null or external_id = $4)
       and ($5::timestamptz is null or (created_at, id) < ($5, $6))
     order by created_at desc, id desc limit $7`,
    [accountId, status ?? null, appId ?? null, externalId ?? null, ...pageValues(page)],
  );
}

export async function findKeysOfAutomation(sql: Sql, id: string): Promise<string[]> {
  return (await sql.value<string[] | null>('select key_ids from automations where id = $1', [id])) ?? [];
}

/** Lists what a key made or changed, newest first. At most 100 of an account are not deleted. */
export function listAutomationsOfKey(sql: Sql, accountId: string, keyId: string): Promise<AutomationRow[]> {
  return sql.query<AutomationRow>(
    `select ${columns} from automations
     where account_id = $1 and deleted_at is null and $2 = any (key_ids) order by created_at desc, id desc`,
    [accountId, keyId],
  );
}

/** Pauses an active automation, those of a platform account, or those that a key made or changed. @returns their ids */
export function pauseAutomationsOf(
  tx: Transaction,
  { accountId, of, now }: { accountId: string; of: string; now: Date },
): Promise<string[]> {
  return tx.column<string>(
    `with paused as (
       update automations set status = 'paused', next_fire_at = null, updated_at = $3
       where ${lockedInOrder(
         'automations',
         `account_id = $1 and deleted_at is null and status = 'active'
           and $2 = any (key_ids || tiktok_account_id || id)`,
       )}
       returning id
     )
     select id, pg_notify('${channels.plans}', '') from paused`,
    [accountId, of, now],
  );
}

export function listArmedAutomations(
  sql: Sql,
  accountId: string,
  limit: number,
): Promise<(AutomationRow & { nextFireAt: Date })[]> {
  // At most 100 of an account are not deleted, so no index sorts them.
  return sql.query<AutomationRow & { nextFireAt: Date }>(
    `select ${columns} from automations
     where account_id = $1 and deleted_at is null and status = 'active' and next_fire_at is not null
     order by next_fire_at, id limit $2`,
    [accountId, limit],
  );
}

/**
 * Makes the unconfirmed automations of an account that approve by themselves wait, or only those that keys made or
 * changed, or none. With `ofKeys` what a key confirmed is unconfirmed.
 */
export async function setAwaitsConfirmation(
  sql: Sql,
  accountId: string,
  { isAsked, ofKeys = false }: { isAsked: boolean; ofKeys?: boolean | undefined },
): Promise<void> {
  await sql.query(
    `update automations set confirmed_by = null,
       awaits_confirmation = approval_mode = 'auto' and ($2 or ($3 and key_ids <> '{}'))
     where ${lockedInOrder(
       'automations',
       `account_id = $1 and deleted_at is null
         and (confirmed_by is null or ($3 and confirmed_by ->> 'kind' = 'key'))`,
     )}`,
    [accountId, isAsked, ofKeys],
  );
}

export function deleteAutomation(
  sql: Sql,
  { accountId, id, now }: { accountId: string; id: string; now: Date },
): Promise<boolean> {
  return sql.exists(
    `update automations set deleted_at = $3, next_fire_at = null, updated_at = $3
     where id = $1 and account_id = $2 and deleted_at is null returning id`,
    [id, accountId, now],
  );
}
