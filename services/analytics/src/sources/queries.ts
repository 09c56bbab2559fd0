import { type Page, pageValues } from '@hookline/shared/kernel';
import type { SealedStore, Sql, Transaction } from '@hookline/shared/postgres';
import { channels } from '../channels.ts';
import type { SourceRow } from './record.ts';

const columns = `id, platform, username, status, created_at as "createdAt", updated_at as "updatedAt"`;

export function findSourceOfUser(
  sql: Sql,
  accountId: string,
  platformUserId: string,
): Promise<string | null> {
  return sql.value<string | null>(
    `select id from metric_sources
     where account_id = $1 and platform = 'instagram' and platform_user_id = $2`,
    [accountId, platformUserId],
  );
}

export type ConnectedSource = {
  id: string;
  accountId: string;
  platformUserId: string;
  username: string;
  tokenSealed: string;
  refreshAt: Date;
  now: Date;
};

/** Inserts a source, or gives the one that has this id the new token, which is bound to the id. */
export function saveSource(tx: Transaction, source: ConnectedSource): Promise<SourceRow> {
  return tx.only<SourceRow>(
    `insert into metric_sources (id, account_id, platform, platform_user_id, username, status, token_sealed,
       refresh_at, created_at, updated_at)
     values ($1, $2, 'instagram', $3, $4, 'connected', $5, $6, $7, $7)
     on conflict (id) do update set
       username = excluded.username, status = 'connected', token_sealed = excluded.token_sealed,
       token_expires_at = null, refresh_holder = null, refresh_at = excluded.refresh_at, updated_at = excluded.updated_at
     returning ${columns}`,
    [
      source.id,
      source.accountId,
      source.platformUserId,
      source.username,
      source.tokenSealed,
      source.refreshAt,
      source.now,
    ],
  );
}

export function listSources(
  sql: Sql,
  accountId: string,
  { status, page }: { status?: string | undefined; page: Page },
): Promise<SourceRow[]> {
  return sql.query(
    `select ${columns} from metric_sources
     where account_id = $1 and ($5::text is null or status = $5)
       and ($2::timestamptz is null or (created_at, id) < ($2, $3))
     order by created_at desc, id desc
     limit $4`,
    [accountId, ...pageValues(page), status ?? null],
  );
}

export function hasSource(sql: Sql, accountId: string): Promise<boolean> {
  return sql.exists('select 1 from metric_sources where account_id = $1 limit 1', [accountId]);
}

/** Deletes the row and its token. False if the account has no such source. */
export function deleteSource(sql: Sql, accountId: string, id: string): Promise<boolean> {
  const values = [id, accountId];
  return sql.exists('delete from metric_sources where id = $1 and account_id = $2 returning 1', values);
}

export type StoredToken = { id: string; tokenSealed: string };

/** The source that should read the post first, then the account's other connected ones, oldest first. */
export function listReaders(
  sql: Sql,
  { accountId, sourceId }: { accountId: string; sourceId: string },
  readersMax: number,
): Promise<StoredToken[]> {
  return sql.query(
    `select id, token_sealed as "tokenSealed" from metric_sources
     where account_id = $1 and status = 'connected'
     order by id <> $2, created_at, id
     limit $3`,
    [accountId, sourceId, readersMax],
  );
}

/** Only if the refused token is still the stored one: a newer one may have replaced it. */
export function markNeedsReauth(sql: Sql, token: StoredToken, now: Date): Promise<boolean> {
  return sql.exists(
    `update metric_sources set status = 'needs_reauth', updated_at = $3
     where id = $1 and token_sealed = $2 and status = 'connected' returning 1`,
    [token.id, token.tokenSealed, now],
  );
}

/**
 * Claims a source whose token is due for a refresh. One process at a time asks for it, without holding a
 * lock.
 * @param until when it is due again if this process dies.
 */
export function takeDueSource(
  sql: Sql,
  holder: string,
  { now, until }: { now: Date; until: Date },
): Promise<StoredToken | null> {
  return sql.row<StoredToken>(
    `update metric_sources set refresh_at = $2, refresh_holder = $3
     where id = (
       select id from metric_sources
       where status = 'connected' and refresh_at <= $1
       order by refresh_at
       limit 1
       for no key update skip locked
     )
     returning id, token_sealed as "tokenSealed"`,
    [now, until, holder],
  );
}

/** A source whose token a process is refreshing. */
export type RefreshLease = { id: string; holder: string };

/** Writes nothing if the source was reconnected or removed, or another process took over. */
export async function saveToken(
  sql: Sql,
  { id, holder }: RefreshLease,
  token: { tokenSealed: string; expiresAt: Date; refreshAt: Date },
): Promise<void> {
  await sql.query(
    `update metric_sources
     set token_sealed = $3, token_expires_at = $4, refresh_at = $5, refresh_holder = null
     where id = $1 and refresh_holder = $2`,
    [id, holder, token.tokenSealed, token.expiresAt, token.refreshAt],
  );
}

export async function postponeRefresh(
  sql: Sql,
  { id, holder }: RefreshLease,
  refreshAt: Date,
): Promise<void> {
  await sql.query(
    'update metric_sources set refresh_at = $3, refresh_holder = null where id = $1 and refresh_holder = $2',
    [id, holder, refreshAt],
  );
}

/** Makes missed and failed Instagram posts due at once, because a source was connected. */
export async function makeInstagramDue(tx: Transaction, accountId: string, now: Date): Promise<void> {
  await tx.query(
    `update collections set next_at = $2, failures = 0, misses = 0
     where account_id = $1 and platform = 'instagram' and next_at > $2 and (failures > 0 or misses > 0)`,
    [accountId, now],
  );
  await tx.query(`update metric_sources set look_at = '-infinity' where account_id = $1`, [accountId]);
  tx.notifyAfterCommit(channels.work);
}

const tokens: SealedStore = {
  schema: 'analytics',
  table: 'metric_sources',
  columns: ['token_sealed'],
  async list(sql, afterId, countMax) {
    const rows = await sql.query<{ id: string; sealed: string }>(
      `select id, token_sealed as sealed from metric_sources where id > $1 order by id limit $2`,
      [afterId, countMax],
    );
    return rows.map(({ id, sealed }) => ({ id, context: id, sealed: [sealed] }));
  },
  async replace(sql, { id, sealed: before }, after) {
    return await sql.exists(
      `update metric_sources set token_sealed = $3 where id = $1 and token_sealed = $2 returning 1`,
      [id, ...before, ...after],
    );
  },
};

/** Tables with sealed secrets, for `npm run ops -- rotate-keys`. */
export const sealedStores: readonly SealedStore[] = [tokens];
