import { type Page, pageValues } from '@hookline/shared/kernel';
import { lockForCount, oneRow, type Sql, type Transaction } from '@hookline/shared/postgres';
import type { AppRow } from '../records/app.ts';

const columns = `id, account_id as "accountId", name, details, seed_hooks as "seedHooks", listing,
  created_at as "createdAt", updated_at as "updatedAt"`;

/** Apps of an account. */
export async function countApps(sql: Sql, accountId: string): Promise<number> {
  const rows = await sql.query<{ count: number }>(
    'select count(*)::int as count from apps where account_id = $1',
    [accountId],
  );
  return oneRow(rows).count;
}

/** Apps of an account, locked: no other transaction counts them until this one ends. */
export async function lockCountOfApps(tx: Transaction, accountId: string): Promise<number> {
  await lockForCount(tx, 'apps', accountId);
  return await countApps(tx, accountId);
}

export async function insertApp(sql: Sql, app: AppRow): Promise<void> {
  await sql.query(
    `insert into apps (id, account_id, name, details, seed_hooks, listing, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [app.id, app.accountId, app.name, app.details, app.seedHooks, app.listing, app.createdAt, app.updatedAt],
  );
}

/** The account's app; null if it does not exist or belongs to another account. */
export async function findApp(sql: Sql, accountId: string, id: string): Promise<AppRow | null> {
  const [row] = await sql.query<AppRow>(`select ${columns} from apps where id = $1 and account_id = $2`, [
    id,
    accountId,
  ]);
  return row ?? null;
}

/** One row more than the page holds, to show whether another page follows. */
export function listApps(sql: Sql, accountId: string, page: Page): Promise<AppRow[]> {
  return sql.query<AppRow>(
    `select ${columns}
     from apps
     where account_id = $1
       and ($2::timestamptz is null or (created_at, id) < ($2, $3))
     order by created_at desc, id desc
     limit $4`,
    [accountId, ...pageValues(page)],
  );
}
