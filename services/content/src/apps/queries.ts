import { appContentCountMax } from '@hookline/shared/contracts/apps';
import type { Lesson } from '@hookline/shared/contracts/lesson';
import { type Page, pageValues } from '@hookline/shared/kernel';
import { lockForCount, type Sql, type Transaction } from '@hookline/shared/postgres';
import { isShown } from '../pictures/queries.ts';
import type { AppRow, AppTexts, ListedApp } from './record.ts';

const columns = `id, account_id as "accountId", name, details, seed_hooks as "seedHooks", listing, brand,
  unreviewed, lesson, (select id from pictures where app_id = apps.id and (id = brand->>'logoImageId' or kind = 'icon')
    order by kind = 'icon', created_at desc limit 1) as "iconId", external_id as "externalId", metadata, created_at as "createdAt", updated_at as "updatedAt"`;

export function countApps(sql: Sql, accountId: string): Promise<number> {
  return sql.value<number>(
    'select count(*)::int as count from apps where account_id = $1 and deleted_at is null',
    [accountId],
  );
}

/** No other transaction counts the account's apps until this one ends. */
export async function lockCountOfApps(tx: Transaction, accountId: string): Promise<number> {
  await lockForCount(tx, 'apps', accountId);
  return await countApps(tx, accountId);
}

export async function insertApp(sql: Sql, app: AppRow): Promise<void> {
  await sql.query(
    `insert into apps (id, account_id, name, details, seed_hooks, listing, created_at, updated_at, unreviewed,
       external_id, metadata)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      ...[app.id, app.accountId, app.name, app.details, app.seedHooks, app.listing, app.createdAt],
      ...[app.updatedAt, JSON.stringify(app.unreviewed), app.externalId, app.metadata],
    ],
  );
}

export function findApp(sql: Sql, accountId: string, id: string): Promise<AppRow | null> {
  return sql.row<AppRow>(
    `select ${columns} from apps where id = $1 and account_id = $2 and deleted_at is null`,
    [id, accountId],
  );
}

export function lockApp(tx: Transaction, accountId: string, id: string): Promise<AppRow | null> {
  return tx.row<AppRow>(
    `select ${columns} from apps where id = $1 and account_id = $2 and deleted_at is null for update`,
    [id, accountId],
  );
}

/** Finds the app of a content even if it was deleted. */
export function findAppOfContent(sql: Sql, id: string): Promise<AppRow | null> {
  return sql.row<AppRow>(`select ${columns} from apps where id = $1`, [id]);
}

/** Updates the texts, and forgets unwanted screenshots that the page no longer has. */
export function updateAppTexts(
  tx: Transaction,
  { accountId, id, texts, at }: { accountId: string; id: string; texts: AppTexts; at: Date },
): Promise<AppRow | null> {
  const { details, seedHooks, listing } = texts;
  return tx.row<AppRow>(
    `update apps set details = $3, seed_hooks = $4, listing = $5, updated_at = $6,
       unwanted_screenshots = array(select url from unnest(unwanted_screenshots) as url where url = any($7::text[]) or $7 = '{}')
     where id = $1 and account_id = $2 and deleted_at is null returning ${columns}`,
    [id, accountId, details, seedHooks, listing, at, listing.screenshots],
  );
}

export function updateApp(
  tx: Transaction,
  { id, name, brand, unreviewed, updatedAt, externalId, metadata }: AppRow,
): Promise<AppRow> {
  return tx.only<AppRow>(
    `update apps set name = $2, brand = $3, unreviewed = $4, updated_at = $5, external_id = $6, metadata = $7
     where id = $1 returning ${columns}`,
    [id, name, brand, JSON.stringify(unreviewed), updatedAt, externalId, metadata],
  );
}

/** Locks the app of a content if one of its fields needs a review. */
export function lockUnreviewed(tx: Transaction, id: string): Promise<AppRow | null> {
  return tx.row<AppRow>(
    `select ${columns} from apps where id = $1 and unreviewed <> '[]' for no key update`,
    [id],
  );
}

export async function setUnreviewed(tx: Transaction, id: string, left: AppRow['unreviewed']): Promise<void> {
  await tx.query('update apps set unreviewed = $2 where id = $1', [id, JSON.stringify(left)]);
}

/** Keeps the newest lesson, in whatever order they come. */
export async function saveLesson(
  tx: Transaction,
  {
    accountId,
    appId,
    sequence,
    lesson,
  }: { accountId: string; appId: string; sequence: number; lesson: Lesson },
): Promise<void> {
  await tx.query(
    `update apps set lesson = $3, lesson_sequence = $4
     where id = $1 and account_id = $2 and lesson_sequence < $4`,
    [appId, accountId, lesson, sequence],
  );
}

export async function markAppDeleted(tx: Transaction, id: string, at: Date): Promise<void> {
  await tx.query('update apps set deleted_at = $2, updated_at = $2 where id = $1', [id, at]);
}

export function listApps(
  sql: Sql,
  accountId: string,
  externalId: string | null,
  page: Page,
): Promise<ListedApp[]> {
  return sql.query<ListedApp>(
    `select ${columns},
       (select count(*)::int from (
          select from contents where app_id = apps.id and status = 'ready' limit ${appContentCountMax}
        ) as counted) as "contentCount",
       (select count(*)::int from pictures where app_id = apps.id and ${isShown}) as "pictureCount"
     from apps
     where account_id = $1 and deleted_at is null
       and ($2::timestamptz is null or (created_at, id) < ($2, $3))
       and ($5::text is null or external_id = $5)
     order by created_at desc, id desc
     limit $4`,
    [accountId, ...pageValues(page), externalId],
  );
}

export function countWaitingSchedules(sql: Sql, appId: string): Promise<number> {
  return sql.value<number>(
    `select count(*)::int as count from known_schedules s
     where s.is_waiting and exists (select 1 from contents c where c.id = s.content_id and c.app_id = $1)`,
    [appId],
  );
}
