import { type Page, pageValues } from '@hookline/shared/kernel';
import { lockedInOrder, type Sql, type Transaction } from '@hookline/shared/postgres';
import { deletesAtColumn, policyColumn } from '../standing/queries.ts';
import type { SessionOfPersonRow, SessionRow } from './record.ts';

export type NewSession = {
  id: string;
  userId: string;
  accountId: string;
  tokenHash: Buffer;
  client: string | null;
  expiresAt: Date;
  now: Date;
};

/** People of both tables, as members of the workspaces that their sessions are in. */
const membersOfSessions = `left join users on users.id = sessions.user_id
  left join oidc_users on oidc_users.id = sessions.user_id
  join members on members.user_id = sessions.user_id
    and members.account_id = coalesce(sessions.entered_account_id, users.account_id, oidc_users.account_id)`;

/** The workspace that a session is in: the person's own where it entered none. */
export const workspaceOf = (session: string) => `coalesce(${session}.entered_account_id,
  (select account_id from users where id = ${session}.user_id),
  (select account_id from oidc_users where id = ${session}.user_id))`;

/** A person has no more: the next one ends the oldest. */
const sessionsMax = 50;

export async function insertSession(sql: Sql, session: NewSession): Promise<void> {
  await sql.query(
    `delete from sessions where ${lockedInOrder(
      'sessions',
      `user_id = $1 and (expires_at <= $2 or id in (
         select id from sessions where user_id = $1 order by created_at desc, id desc offset ${sessionsMax - 1}))`,
    )}`,
    [session.userId, session.now],
  );
  await sql.query(
    `insert into sessions (id, user_id, entered_account_id, token_hash, client, expires_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      session.id,
      session.userId,
      session.accountId,
      session.tokenHash,
      session.client,
      session.expiresAt,
      session.now,
    ],
  );
}

/**
 * The unexpired session of the token, with its workspace and the role there. Null also when its user is not a
 * member of that workspace.
 */
export function findSession(sql: Sql, tokenHash: Buffer, now: Date): Promise<SessionRow | null> {
  return sql.row<SessionRow>(
    `select sessions.id, sessions.user_id as "userId", members.account_id as "accountId", members.role,
            ${policyColumn}, ${deletesAtColumn},
            json_build_object('kind', 'person', 'id', sessions.user_id, 'name',
              coalesce(users.name, users.email, oidc_users.name, oidc_users.email, sessions.user_id)) as actor,
            users.email_verified_at is not null or oidc_users.id is not null as "isVerified",
            expires_at as "expiresAt", sessions.created_at as "createdAt"
     from sessions ${membersOfSessions}
       join workspaces on workspaces.account_id = members.account_id
     where token_hash = $1 and expires_at > $2`,
    [tokenHash, now],
  );
}

/**
 * Those of the sessions that are unexpired, with the workspaces that they are in. Without those of no member.
 */
export function listOpenSessions(
  sql: Sql,
  ids: readonly string[],
  now: Date,
): Promise<{ id: string; accountId: string }[]> {
  return sql.query<{ id: string; accountId: string }>(
    `select sessions.id, members.account_id as "accountId"
     from sessions ${membersOfSessions}
     where sessions.id = any($1::text[]) and expires_at > $2`,
    [ids, now],
  );
}

/** False for one that has ended; otherwise whoever ends it waits for the transaction. */
export async function lockSession(tx: Transaction, id: string): Promise<boolean> {
  return await tx.exists('select 1 from sessions where id = $1 for key share', [id]);
}

export async function setAccountOfSession(sql: Sql, id: string, accountId: string): Promise<void> {
  await sql.query('update sessions set entered_account_id = $2 where id = $1', [id, accountId]);
}

export function listSessions(
  sql: Sql,
  { userId, now }: { userId: string; now: Date },
  page: Page,
): Promise<SessionOfPersonRow[]> {
  return sql.query<SessionOfPersonRow>(
    `select id, expires_at as "expiresAt", created_at as "createdAt", client, last_used_at as "lastUsedAt"
     from sessions
     where user_id = $1 and expires_at > $5 and ($2::timestamptz is null or (created_at, id) < ($2, $3))
     order by created_at desc, id desc limit $4`,
    [userId, ...pageValues(page), now],
  );
}

export function deleteSessionsOf(sql: Sql, userId: string, except: string | null): Promise<string[]> {
  return sql.column<string>(
    `delete from sessions where ${lockedInOrder('sessions', 'user_id = $1 and id is distinct from $2')} returning id`,
    [userId, except],
  );
}

export function deleteSessionOf(sql: Sql, userId: string, id: string): Promise<boolean> {
  return sql.exists('delete from sessions where user_id = $1 and id = $2 returning 1', [userId, id]);
}

export async function deleteSession(sql: Sql, id: string): Promise<void> {
  await sql.query('delete from sessions where id = $1', [id]);
}

/** Ends the sessions that a person has in a workspace. */
export async function deleteSessionsIn(sql: Sql, accountId: string, userId: string): Promise<void> {
  const condition = `user_id = $2 and $1 = ${workspaceOf('sessions')}`;
  await sql.query(`delete from sessions where ${lockedInOrder('sessions', condition)}`, [accountId, userId]);
}
