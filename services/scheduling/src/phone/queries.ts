import { lockForCount, type Transaction } from '@hookline/shared/postgres';
import type { WriteContext } from '../context.ts';
import type { PhonePost } from '../schedules/queries-ends.ts';
import type { ScheduleRow } from '../schedules/record.ts';

export type NewPhone = { id: string; accountId: string; appId: string | null; name: string; now: Date };

/** The count stays so until the transaction ends. */
export async function lockCountOfPhones(tx: Transaction, accountId: string): Promise<number> {
  await lockForCount(tx, 'phones', accountId);
  return await tx.value<number>(
    `select count(*)::int as count from platform_accounts
     where account_id = $1 and kind = 'phone' and deleted_at is null`,
    [accountId],
  );
}

/** Claims go by creator, so a phone is its own. */
export async function insertPhone(
  tx: Transaction,
  { id, accountId, appId, name, now }: NewPhone,
): Promise<void> {
  await tx.query('insert into creators (open_id) values ($1)', [id]);
  await tx.query(
    `insert into platform_accounts (id, account_id, app_id, kind, open_id, display_name, status, scopes, connected_at,
       created_at, updated_at)
     values ($1, $2, $3, 'phone', $1, $4, 'connected', '{}', $5, $5, $5)`,
    [id, accountId, appId, name, now],
  );
}

/** The first address is kept. @returns the address that the schedule then has */
export async function addPostUrl(
  { tx, now }: WriteContext,
  row: ScheduleRow,
  url: string,
): Promise<ScheduleRow> {
  await tx.query(
    'update schedules set platform_post_url = $2, updated_at = $3 where id = $1 and platform_post_url is null',
    [row.id, url, now],
  );
  return { ...row, platformPostUrl: url, updatedAt: now };
}

export async function setVersion({ tx }: WriteContext, id: string, post: PhonePost): Promise<void> {
  await tx.query('update schedules set content_version = $2, title = $3, description = $4 where id = $1', [
    id,
    post.contentVersion,
    post.title,
    post.description,
  ]);
}
