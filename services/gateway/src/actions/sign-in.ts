import { ApiError } from '@hookline/shared/contracts';
import type { GatewayDeps } from '../deps.ts';
import { saveKnownPair } from '../queries/sign-in-addresses.ts';
import { hashPair } from '../rules/email-digest.ts';
import { knownAddressesMax } from '../rules/sign-in-limit.ts';
import { checkPassword, type From } from './check-password.ts';
import { openSession, type SignedIn } from './start-session.ts';

/**
 * Signs in. A wrong e-mail address and a wrong password get the same answer after the same time.
 * @throws ApiError `unauthorized`; `rate_limited` (`checkPassword`); `missing_scope` for a person without a workspace
 */
export async function signIn(
  deps: GatewayDeps,
  given: { email: string; password: string },
  from: From,
): Promise<SignedIn> {
  const user = await checkPassword(deps, given, from);
  if (!user) throw new ApiError('unauthorized', 'Wrong e-mail or password.');
  const now = deps.now();
  return await deps.db.transaction(async tx => {
    const pairHash = hashPair(given.email, from.address);
    await saveKnownPair(tx, { pairHash, userId: user.id, now }, knownAddressesMax);
    return await openSession(tx, user, now, from);
  });
}
