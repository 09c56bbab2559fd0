import type { GatewayDeps } from '../deps.ts';
import { saveKnownPair } from '../queries/sign-in-failures.ts';
import { lockPasswordHash } from '../queries/users.ts';
import type { From } from '../records/audit-event.ts';
import { hashPair } from '../rules/email-digest.ts';
import { knownAddressesMax } from '../rules/sign-in-limit.ts';
import { checkPassword, wrongPassword } from './check-password.ts';
import { mailVerification } from './send-mail.ts';
import { openSession, type SignedIn } from './start-session.ts';

/**
 * Signs in, and mails another link to a person whose address must be proven and is not. A wrong e-mail
 * address and a wrong password get the same answer after the same time.
 * @throws ApiError `unauthorized`; `rate_limited` (`checkPassword`); `missing_scope` for a
 * person without a workspace
 */
export async function signIn(
  deps: GatewayDeps,
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
    return await openSession(tx, user, now, from, 'password');
  });
}
