import type { IdentityDeps } from '../../identity-deps.ts';
import type { From } from '../audit/record.ts';
import { mailVerification } from '../mail/send.ts';
import { openSession, type SignedIn } from '../sessions/start.ts';
import { hashPair } from '../users/email.rules.ts';
import { lockPasswordHash } from '../users/queries.ts';
import { checkPassword, wrongPassword } from './check.ts';
import { saveKnownPair } from './queries.ts';
import { knownAddressesMax } from './sign-in-limit.rules.ts';

/**
 * Signs in, and mails another link to a person whose address must be proven and is not. A wrong e-mail
 * address and a wrong password get the same answer after the same time.
 */
export async function signIn(
  deps: IdentityDeps,
  given: { email: string; password: string },
  from: From,
): Promise<SignedIn> {
  const user = await checkPassword(deps, given, from);
  if (!user) throw wrongPassword();
  const now = deps.now();
  return await deps.db.transaction(async tx => {
    // A new password ends the sessions that there are: one that it replaced must not open another after that.
    if (!(await lockPasswordHash(tx, user))) throw wrongPassword();
    const pairHash = hashPair(given.email, from.address);
    await saveKnownPair(tx, { pairHash, userId: user.id, now }, knownAddressesMax);
    // `send-mails` keeps it to three an hour.
    await mailVerification(deps, tx, user);
    return await openSession({ tx, from, now }, user, { method: 'password' });
  });
}
