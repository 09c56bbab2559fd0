import { type Page, pageValues } from '@hookline/shared/kernel';
import { lockForCount, type Sql, type Transaction } from '@hookline/shared/postgres';
import type { PicturedApp, PictureRow, UnreviewedPicture } from './record.ts';

const columns = `id, account_id as "accountId", app_id as "appId", kind, width, height, bytes,
  content_type as "contentType", digest, source_url as "sourceUrl", unreviewed, created_at as "createdAt",
  updated_at as "updatedAt"`;

export const isShown = `kind in ('upload', 'screenshot')`;

const picturedApp = `select id, account_id as "accountId", listing, brand
  from apps where id = $1 and account_id = $2 and deleted_at is null`;

export function findPicturedApp(sql: Sql, accountId: string, id: string): Promise<PicturedApp | null> {
  return sql.row<PicturedApp>(picturedApp, [id, accountId]);
}

export function lockPicturedApp(tx: Transaction, accountId: string, id: string): Promise<PicturedApp | null> {
  return tx.row<PicturedApp>(`${picturedApp} for update`, [id, accountId]);
}

/** No other transaction counts the app's pictures until this one ends. */
export async function lockCountOfPictures(tx: Transaction, appId: string): Promise<number> {
  await lockForCount(tx, 'pictures', appId);
  return await countPictures(tx, appId);
}

export function countPictures(sql: Sql, appId: string): Promise<number> {
  return sql.value<number>(`select count(*)::int as count from pictures where app_id = $1 and ${isShown}`, [
    appId,
  ]);
}

/** Pictures that somebody uploaded, without the logo. */
export function countPhotos(sql: Sql, appId: string, logoId: string | null): Promise<number> {
  return sql.value<number>(
    `select count(*)::int as count from pictures
     where app_id = $1 and kind = 'upload' and id is distinct from $2`,
    [appId, logoId],
  );
}

/** @returns false if the screenshot is there already */
export function insertPicture(tx: Transaction, row: PictureRow): Promise<boolean> {
  return tx.exists(
    `insert into pictures (id, account_id, app_id, kind, width, height, bytes, content_type, digest, source_url,
       created_at, updated_at, unreviewed)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     on conflict do nothing returning 1`,
    [
      ...[row.id, row.accountId, row.appId, row.kind, row.width, row.height, row.bytes, row.contentType],
      ...[row.digest, row.sourceUrl, row.createdAt, row.updatedAt, row.unreviewed],
    ],
  );
}

/** @param kind undefined: all but slides */
export function listPictures(
  sql: Sql,
  appId: string,
  page: Page,
  kind: PictureRow['kind'] | undefined,
): Promise<PictureRow[]> {
  return sql.query<PictureRow>(
    `select ${columns} from pictures
     where app_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3))
       and case when $5::text is null then ${isShown} else kind = $5 end
     order by created_at desc, id desc limit $4`,
    [appId, ...pageValues(page), kind ?? null],
  );
}

/** @param areSlides finished ones, which only the template `picture` shows */
export function findPictures(
  sql: Sql,
  appId: string,
  ids: readonly string[],
  areSlides = false,
): Promise<PictureRow[]> {
  return sql.query<PictureRow>(
    `select ${columns} from pictures
     where app_id = $1 and id = any($2::text[]) and case when $3 then kind = 'slide' else ${isShown} end`,
    [appId, ids, areSlides],
  );
}

/** @returns the digests of the deleted slides, all but the newest */
export function deleteOlderSlides(tx: Transaction, appId: string, kept: number): Promise<Buffer[]> {
  return tx.column<Buffer>(
    `delete from pictures where id in (
       select id from pictures where app_id = $1 and kind = 'slide' order by created_at desc, id desc offset $2)
     returning digest`,
    [appId, kept],
  );
}

export function findIcon(sql: Sql, appId: string): Promise<PictureRow | null> {
  return sql.row<PictureRow>(
    `select ${columns} from pictures where app_id = $1 and kind = 'icon' order by created_at desc limit 1`,
    [appId],
  );
}

export function listUnreviewedPictures(sql: Sql, appId: string): Promise<UnreviewedPicture[]> {
  return sql.query<UnreviewedPicture>(
    `select id as "pictureId", unreviewed->'by' as by, unreviewed->>'at' as at, unreviewed->>'authorId' as "authorId"
     from pictures where app_id = $1 and unreviewed is not null order by created_at, id`,
    [appId],
  );
}

/** @param exceptBy an author whose marks stay, or null */
export async function endPictureMarks(
  tx: Transaction,
  appId: string,
  ids: readonly string[],
  exceptBy: string | null,
): Promise<void> {
  await tx.query(
    `update pictures set unreviewed = null
     where app_id = $1 and id = any($2::text[]) and unreviewed->>'authorId' is distinct from $3`,
    [appId, ids, exceptBy],
  );
}

export function listOldestPictures(sql: Sql, appId: string, limit: number): Promise<PictureRow[]> {
  return sql.query<PictureRow>(
    `select ${columns} from pictures where app_id = $1 and ${isShown} order by created_at, id limit $2`,
    [appId, limit],
  );
}

/** Deletes a picture. A deleted screenshot is not fetched again. @returns its digest */
export function deletePicture(tx: Transaction, appId: string, id: string): Promise<Buffer | null> {
  return tx.value<Buffer | null>(
    `with gone as (
       delete from pictures where app_id = $1 and id = $2 returning digest, source_url
     ), unwanted as (
       update apps set unwanted_screenshots = array_append(unwanted_screenshots, gone.source_url)
       from gone where apps.id = $1 and gone.source_url is not null
     )
     select digest from gone`,
    [appId, id],
  );
}

export function hasScreenshots(sql: Sql, appId: string, urls: readonly string[]): Promise<boolean> {
  return sql.exists('select 1 from pictures where app_id = $1 and source_url = any($2::text[]) limit 1', [
    appId,
    urls,
  ]);
}

/**
 * Deletes the screenshots of other addresses, except `keptId` and those in the briefs of contents that are
 * being made or are among the newest 100: an edit or the next run draws them again.
 * @returns their digests
 */
export function deleteOtherScreenshots(
  tx: Transaction,
  appId: string,
  urls: readonly string[],
  keptId: string | null,
): Promise<Buffer[]> {
  return tx.column<Buffer>(
    `with briefs as materialized (
       (select brief from contents where app_id = $1 and status in ('queued', 'running'))
       union all
       (select brief from contents where app_id = $1 order by created_at desc, id desc limit 100)
     )
     delete from pictures
     where app_id = $1 and source_url <> all($2::text[]) and id is distinct from $3::text
       and not exists (select 1 from briefs where brief->'pictureIds' ? pictures.id)
     returning digest`,
    [appId, urls, keptId],
  );
}

export async function removeOtherWanted(
  tx: Transaction,
  appId: string,
  urls: readonly string[],
): Promise<void> {
  await tx.query('delete from wanted_screenshots where app_id = $1 and source_url <> all($2::text[])', [
    appId,
    urls,
  ]);
}

/** @returns the digests of the deleted pictures */
export async function deletePictures(tx: Transaction, appId: string): Promise<Buffer[]> {
  await tx.query('delete from wanted_screenshots where app_id = $1', [appId]);
  return await tx.column<Buffer>('delete from pictures where app_id = $1 returning digest', [appId]);
}

/**
 * Queues screenshots that the app does not have and nobody deleted, behind those of its account and no
 * earlier than the turn that is being served.
 */
export async function wantScreenshots(
  tx: Transaction,
  { id: appId, accountId }: { id: string; accountId: string },
  urls: readonly string[],
): Promise<void> {
  await tx.query(
    `insert into wanted_screenshots (app_id, source_url, due_at, turn)
     select $1, url, now(), n + greatest(
       (select coalesce(min(turn) - 1, 0) from wanted_screenshots where due_at <= now()),
       (select coalesce(max(w.turn), 0) from wanted_screenshots w join apps a on a.id = w.app_id
        where a.account_id = $2))
     from unnest($3::text[]) with ordinality as wanted (url, n)
     where not exists (select 1 from pictures p where p.app_id = $1 and p.source_url = url)
       and not exists (select 1 from apps where id = $1 and url = any(unwanted_screenshots))
     on conflict do nothing`,
    [appId, accountId, urls],
  );
}

export type WantedScreenshot = { appId: string; accountId: string; sourceUrl: string; attempts: number };

/** Claims the screenshot whose turn it is; another process gets it after `retryMs`. */
export function claimScreenshot(sql: Sql, retryMs: number): Promise<WantedScreenshot | null> {
  return sql.row<WantedScreenshot>(
    `update wanted_screenshots w
     set due_at = now() + $1 * interval '1 millisecond', attempts = attempts + 1
     from apps a
     where a.id = w.app_id and (w.app_id, w.source_url) = (
       select app_id, source_url from wanted_screenshots where due_at <= now()
       order by turn, due_at limit 1 for update skip locked
     )
     returning w.app_id as "appId", a.account_id as "accountId", w.source_url as "sourceUrl", w.attempts`,
    [retryMs],
  );
}

/** Postpones a screenshot; this attempt does not count. */
export async function postponeWanted(
  sql: Sql,
  { appId, sourceUrl }: WantedScreenshot,
  afterMs: number,
): Promise<void> {
  await sql.query(
    `update wanted_screenshots
     set due_at = now() + $3 * interval '1 millisecond', attempts = greatest(0, attempts - 1)
     where app_id = $1 and source_url = $2`,
    [appId, sourceUrl, afterMs],
  );
}

/** @returns false if another process fetched it, or its app was deleted */
export function removeWanted(sql: Sql, { appId, sourceUrl }: WantedScreenshot): Promise<boolean> {
  return sql.exists('delete from wanted_screenshots where app_id = $1 and source_url = $2 returning 1', [
    appId,
    sourceUrl,
  ]);
}
