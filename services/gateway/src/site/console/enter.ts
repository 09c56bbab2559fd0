import type { From } from '../../identity/audit/record.ts';
import { openSession, type SignedIn } from '../../identity/sessions/start.ts';
import { findUserByEmail, markEmailVerified } from '../../identity/users/queries.ts';
import type { SiteDeps } from '../../site-deps.ts';

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
