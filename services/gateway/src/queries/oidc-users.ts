import type { Sql } from '@hookline/shared/postgres';
import { oneRow } from '@hookline/shared/postgres';
import type { OidcUserRow } from '../records/user.ts';

const columns = `id, account_id as "accountId", entered_account_id as "enteredAccountId", email, name, created_at as "createdAt", updated_at as "updatedAt"`;

export async function findOidcUser(sql: Sql, issuer: string, subject: string): Promise<OidcUserRow | null> {
  const rows = await sql.query<OidcUserRow>(
    `select ${columns} from oidc_users where issuer = $1 and subject = $2`,
    [issuer, subject],
  );
  return rows[0] ?? null;
}

export async function findOidcUserById(sql: Sql, id: string): Promise<OidcUserRow | null> {
  const rows = await sql.query<OidcUserRow>(`select ${columns} from oidc_users where id = $1`, [id]);
  return rows[0] ?? null;
}

export type NewOidcUser = Pick<OidcUserRow, 'id' | 'accountId' | 'email' | 'name'> & {
  issuer: string;
  subject: string;
  now: Date;
};

/** Two concurrent first requests create one row, and both get it. */
export async function insertOidcUser(sql: Sql, user: NewOidcUser): Promise<OidcUserRow> {
  const rows = await sql.query<OidcUserRow>(
    `insert into oidc_users (id, account_id, issuer, subject, email, name, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7)
     on conflict on constraint oidc_users_subject_unique do update set updated_at = oidc_users.updated_at
     returning ${columns}`,
    [user.id, user.accountId, user.issuer, user.subject, user.email, user.name, user.now],
  );
  return oneRow(rows);
}

export async function setEnteredAccount(sql: Sql, id: string, accountId: string): Promise<void> {
  await sql.query('update oidc_users set entered_account_id = $2 where id = $1', [id, accountId]);
}

export async function updateOidcUser(
  sql: Sql,
  user: Pick<OidcUserRow, 'id' | 'email' | 'name'> & { now: Date },
): Promise<OidcUserRow> {
  const rows = await sql.query<OidcUserRow>(
    `update oidc_users set email = $2, name = $3, updated_at = $4 where id = $1 returning ${columns}`,
    [user.id, user.email, user.name, user.now],
  );
  return oneRow(rows);
}
