import type { Sql } from '@hookline/shared/postgres';
import type { SessionRow } from '../records/session.ts';
import { policyColumn } from './workspaces.ts';

export type NewSession = {
  id: string;
  userId: string;
  accountId: string;
  tokenHash: Buffer;
  expiresAt: Date;
  now: Date;
};

/** Also deletes the user's expired sessions. */
export async function insertSession(sql: Sql, session: NewSession): Promise<void> {
  await sql.query('delete from sessions where user_id = $1 and expires_at <= $2', [
    session.userId,
    session.now,
  ]);
  await sql.query(
    `insert into sessions (id, user_id, account_id, token_hash, expires_at, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [session.id, session.userId, session.accountId, session.tokenHash, session.expiresAt, session.now],
  );
}

/**
 * The unexpired session of the token, with its workspace and the role there. Null also when its user is not a member
 * of that workspace.
 */
export async function findSession(sql: Sql, tokenHash: Buffer, now: Date): Promise<SessionRow | null> {
  const rows = await sql.query<SessionRow>(
    `select sessions.id, sessions.user_id as "userId", members.account_id as "accountId", members.role,
            ${policyColumn},
            json_build_object('kind', 'person', 'id', users.id, 'name', coalesce(users.name, users.email)) as actor,
            expires_at as "expiresAt", sessions.created_at as "createdAt", false as "isOidc"
     from sessions
       join users on users.id = sessions.user_id
       join members on members.user_id = users.id
         and members.account_id = coalesce(sessions.account_id, users.account_id)
       join workspaces on workspaces.account_id = members.account_id
     where token_hash = $1 and expires_at > $2`,
    [tokenHash, now],
  );
  return rows[0] ?? null;
}

export async function setAccountOfSession(sql: Sql, id: string, accountId: string): Promise<void> {
  await sql.query('update sessions set account_id = $2 where id = $1', [id, accountId]);
}

export async function deleteSession(sql: Sql, id: string): Promise<void> {
  await sql.query('delete from sessions where id = $1', [id]);
}

/** Ends the sessions that a person has in a workspace. Null counts as the person's own. */
export async function deleteSessionsIn(sql: Sql, accountId: string, userId: string): Promise<void> {
  await sql.query(
    `delete from sessions using users
     where sessions.user_id = $2 and users.id = $2
       and coalesce(sessions.account_id, users.account_id) = $1`,
    [accountId, userId],
  );
}
