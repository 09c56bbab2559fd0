import { newId } from '@hookline/shared/kernel';
import type { Sql } from '@hookline/shared/postgres';
import { insertSession } from '../queries/sessions.ts';
import type { UserRow } from '../queries/users.ts';
import { hashSessionToken, makeSessionToken, sessionLifetimeMs } from '../session-token.ts';

export type SignedIn = {
  user: UserRow;
  session: { id: string; token: string; expiresAt: Date; createdAt: Date };
};

/** The only moment at which the token is known in the clear. */
export async function startSession(sql: Sql, user: UserRow, now: Date): Promise<SignedIn> {
  const token = makeSessionToken();
  const id = newId('session', now.getTime());
  const expiresAt = new Date(now.getTime() + sessionLifetimeMs);
  await insertSession(sql, { id, userId: user.id, tokenHash: hashSessionToken(token), expiresAt, now });
  return { user, session: { id, token, expiresAt, createdAt: now } };
}
