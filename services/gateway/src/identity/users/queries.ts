import type { Sql, Transaction } from '@hookline/shared/postgres';
import type { UserRow } from './record.ts';

const columns = `id, account_id as "accountId", email, name, password_hash as "passwordHash",
  owns_workspace as "ownsWorkspace", email_verified_at as "emailVerifiedAt", created_at as "createdAt",
  updated_at as "updatedAt"`;

export type NewUser = Omit<UserRow, 'emailVerifiedAt' | 'createdAt' | 'updatedAt'> & { now: Date };

export function insertUser(sql: Sql, user: NewUser): Promise<UserRow> {
  return sql.only<UserRow>(
    `insert into users (id, account_id, email, name, password_hash, owns_workspace, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7)
     returning ${columns}`,
    [user.id, user.accountId, user.email, user.name, user.passwordHash, user.ownsWorkspace, user.now],
  );
}

export function setPasswordHash(
  sql: Sql,
  { id, passwordHash }: Pick<UserRow, 'id' | 'passwordHash'>,
  now: Date,
): Promise<UserRow> {
  return sql.only<UserRow>(
    `update users set password_hash = $2, updated_at = $3 where id = $1 returning ${columns}`,
    [id, passwordHash, now],
  );
}

export function markEmailVerified(sql: Sql, id: string, now: Date): Promise<UserRow> {
  return sql.only<UserRow>(
    `update users set email_verified_at = coalesce(email_verified_at, $2) where id = $1 returning ${columns}`,
    [id, now],
  );
}

export function markSlowedMail(
  sql: Sql,
  id: string,
  { since, now }: { since: Date; now: Date },
): Promise<boolean> {
  return sql.exists(
    `update users set slowed_mail_at = $3
     where id = $1 and (slowed_mail_at is null or slowed_mail_at <= $2) returning 1`,
    [id, since, now],
  );
}

export function updatePasswordHash(
  sql: Sql,
  { id, passwordHash }: Pick<UserRow, 'id' | 'passwordHash'>,
  newHash: string,
): Promise<boolean> {
  return sql.exists('update users set password_hash = $3 where id = $1 and password_hash = $2 returning 1', [
    id,
    passwordHash,
    newHash,
  ]);
}

/**
 * True when the user still has this hash, which then stays until the transaction ends. Not `for share`: two
 * transactions that go on to change the row would wait for each other.
 */
export function lockPasswordHash(
  tx: Transaction,
  { id, passwordHash }: Pick<UserRow, 'id' | 'passwordHash'>,
): Promise<boolean> {
  const values = [id, passwordHash];
  return tx.exists('select 1 from users where id = $1 and password_hash = $2 for no key update', values);
}

export function findUserByEmail(sql: Sql, email: string): Promise<UserRow | null> {
  return sql.row<UserRow>(`select ${columns} from users where lower(email) = lower($1)`, [email]);
}

export function findUser(sql: Sql, id: string): Promise<UserRow | null> {
  return sql.row<UserRow>(`select ${columns} from users where id = $1`, [id]);
}
