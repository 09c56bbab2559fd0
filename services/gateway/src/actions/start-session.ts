import { newId } from '@hookline/shared/kernel';
import type { Sql } from '@hookline/shared/postgres';
import { insertSession } from '../queries/sessions.ts';
import type { UserRow } from '../records/user.ts';
import { hashSessionToken, makeSessionToken, sessionLifetimeMs } from '../rules/session-token.ts';

export type SignedIn = {
  user: UserRow;
  session: { id: string; token: string; expiresAt: Date; createdAt: Date };
};

/** Creates a session. Only this call returns the plain text of its token. */
export async function startSession(sql: Sql, user: UserRow, now: Date): Promise<SignedIn> {
  const token = makeSessionToken();
  const id = newId('session', now.getTime());
  const expiresAt = new Date(now.getTime() + sessionLifetimeMs);
  await insertSession(sql, { id, userId: user.id, tokenHash: hashSessionToken(token), expiresAt, now });
  return { user, session: { id, token, expiresAt, createdAt: now } };
}
