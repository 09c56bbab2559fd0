import type { Sql } from '@hookline/shared/postgres';
import { findUser } from './queries.ts';
import type { OidcUserRow, UserRow } from './record.ts';

/** The person of an identity: the user with a password that it is linked to, otherwise the identity's own. */
const columns = `coalesce(users.id, oidc_users.id) as id, coalesce(users.account_id, oidc_users.account_id) as "accountId",
  users.id is not null as "isLinked", proven_email as "provenEmail",
  coalesce(users.email, oidc_users.email) as email, coalesce(users.name, oidc_users.name) as name,
  coalesce(users.created_at, oidc_users.created_at) as "createdAt",
  coalesce(users.updated_at, oidc_users.updated_at) as "updatedAt"`;
const identities = 'oidc_users left join users on users.id = oidc_users.linked_user_id';

export function findOidcUser(sql: Sql, issuer: string, subject: string): Promise<OidcUserRow | null> {
  return sql.row<OidcUserRow>(`select ${columns} from ${identities} where issuer = $1 and subject = $2`, [
    issuer,
    subject,
  ]);
}

function findOidcUserById(sql: Sql, id: string): Promise<OidcUserRow | null> {
  return sql.row<OidcUserRow>(`select ${columns} from ${identities} where oidc_users.id = $1`, [id]);
}

/** True when an identity signs in the user with a password. */
export function hasIdentity(sql: Sql, userId: string): Promise<boolean> {
  return sql.exists('select 1 from oidc_users where linked_user_id = $1', [userId]);
}

/** `email` is verified by the issuer, or null. */
export type NewOidcUser = Pick<OidcUserRow, 'id' | 'accountId' | 'email' | 'name'> & {
  issuer: string;
  subject: string;
  ownsWorkspace: boolean;
  /** The user whom the identity signs in; null: a person of its own. */
  linkedUserId: string | null;
  now: Date;
};

/**
 * False, and nothing is inserted, when another request has inserted the identity, or linked
 * another one to the user.
 */
export function insertOidcUser(sql: Sql, user: NewOidcUser): Promise<boolean> {
  return sql.exists(
    `insert into oidc_users (id, account_id, issuer, subject, email, proven_email, name, owns_workspace, linked_user_id,
       created_at, updated_at)
     values ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9, $9)
     on conflict do nothing returning 1`,
    [
      ...[user.id, user.accountId, user.issuer, user.subject, user.email, user.name, user.ownsWorkspace],
      ...[user.linkedUserId, user.now],
    ],
  );
}

export async function updateOidcUser(
  sql: Sql,
  user: Pick<OidcUserRow, 'id' | 'email' | 'provenEmail' | 'name'> & { now: Date },
): Promise<void> {
  await sql.query(
    'update oidc_users set email = $2, proven_email = $3, name = $4, updated_at = $5 where id = $1',
    [user.id, user.email, user.provenEmail, user.name, user.now],
  );
}

export async function markStateUsed(
  sql: Sql,
  { stateHash, expiresAt, now }: { stateHash: Buffer; expiresAt: Date; now: Date },
): Promise<boolean> {
  await sql.query(
    `delete from oidc_used_states where state_hash in
       (select state_hash from oidc_used_states where expires_at <= $1 order by expires_at limit 500 for update skip locked)`,
    [now],
  );
  return await sql.exists(
    'insert into oidc_used_states (state_hash, expires_at) values ($1, $2) on conflict do nothing returning 1',
    [stateHash, expiresAt],
  );
}

export async function findPerson(sql: Sql, id: string): Promise<UserRow | OidcUserRow | null> {
  return (await findUser(sql, id)) ?? (await findOidcUserById(sql, id));
}
