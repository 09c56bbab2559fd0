import type { From } from '../../identity/audit/record.ts';
import { openSession, type SignedIn } from '../../identity/sessions/start.ts';
import { findUserByEmail, markEmailVerified } from '../../identity/users/queries.ts';
import type { SiteDeps } from '../../site-deps.ts';

/**
 * Signs in the person for whom `npm start` printed the token, which is used up by this. The address is proven:
 * its user was made by whoever runs the machine. Null for a token that is unknown, used or too old.
 * @throws ApiError `missing_scope` for a person without a workspace
 */
export async function enterConsole(
  { db, consoleEntry, now }: Pick<SiteDeps, 'db' | 'consoleEntry' | 'now'>,
  token: string,
  from: From,
): Promise<SignedIn | null> {
  const email = consoleEntry?.use(token);
  const user = email ? await findUserByEmail(db, email) : null;
  if (!user) return null;
  return await db.transaction(async tx => {
    await markEmailVerified(tx, user.id, now());
    return await openSession({ tx, from, now: now() }, user, { method: 'link' });
  });
}
