import { lockForCount, type Sql, type Transaction } from '@hookline/shared/postgres';
import type { OAuthClientRow } from './record.ts';

/**
 * Registered clients after the expired are deleted, 500 at most at once. Locked until the transaction ends.
 */
export async function pruneAndCountClients(tx: Transaction, now: Date): Promise<number> {
  await lockForCount(tx, 'oauth clients', 'all');
  await tx.query(
    `delete from oauth_clients where id in
       (select id from oauth_clients where expires_at <= $1 order by expires_at limit 500)`,
    [now],
  );
  return await tx.value<number>('select count(*)::int as count from oauth_clients');
}

/** Deletes the oldest client that nobody has granted anything. */
export function deleteOldestUnusedClient(
  tx: Transaction,
  { unusedMs, before }: { unusedMs: number; before: Date },
): Promise<boolean> {
  return tx.exists(
    `delete from oauth_clients where id =
       (select id from oauth_clients
        where expires_at <= created_at + $1 * interval '1 millisecond' and created_at <= $2
        order by expires_at limit 1)
     returning id`,
    [unusedMs, before],
  );
}

export async function insertClient(
  sql: Sql,
  client: OAuthClientRow & { expiresAt: Date; now: Date },
): Promise<void> {
  await sql.query(
    `insert into oauth_clients (id, name, redirect_uris, expires_at, created_at) values ($1, $2, $3, $4, $5)`,
    [client.id, client.name, client.redirectUris, client.expiresAt, client.now],
  );
}

export function findRegisteredClient(sql: Sql, id: string, now: Date): Promise<OAuthClientRow | null> {
  return sql.row<OAuthClientRow>(
    `select id, name, redirect_uris as "redirectUris" from oauth_clients where id = $1 and expires_at > $2`,
    [id, now],
  );
}

export async function keepClient(sql: Sql, id: string, expiresAt: Date): Promise<void> {
  await sql.query(
    `update oauth_clients set expires_at = $2
     where id = $1 and expires_at < $2::timestamptz - interval '1 day'`,
    [id, expiresAt],
  );
}
