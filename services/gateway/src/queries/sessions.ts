import type { Sql } from '@hookline/shared/postgres';
import type { SessionRow } from '../records/session.ts';

export type NewSession = { id: string; userId: string; tokenHash: Buffer; expiresAt: Date; now: Date };

/** Also deletes the user's expired sessions. */
export async function insertSession(sql: Sql, session: NewSession): Promise<void> {
  await sql.query('delete from sessions where user_id = $1 and expires_at <= $2', [
    session.userId,
    session.now,
  ]);
  await sql.query(
    `insert into sessions (id, user_id, token_hash, expires_at, created_at)
     values ($1, $2, $3, $4, $5)`,
    [session.id, session.userId, session.tokenHash, session.expiresAt, session.now],
  );
}

/** The unexpired session of the token, with the account of its user. */
export async function findSession(sql: Sql, tokenHash: Buffer, now: Date): Promise<SessionRow | null> {
  const rows = await sql.query<SessionRow>(
    `select sessions.id, user_id as "userId", account_id as "accountId", expires_at as "expiresAt",
            sessions.created_at as "createdAt", false as "isOidc"
     from sessions join users on users.id = sessions.user_id
     where token_hash = $1 and expires_at > $2`,
    [tokenHash, now],
  );
  return rows[0] ?? null;
}

export async function deleteSession(sql: Sql, id: string): Promise<void> {
  await sql.query('delete from sessions where id = $1', [id]);
}
