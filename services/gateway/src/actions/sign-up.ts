import { invalidRequest } from '@hookline/shared/contracts';
import { newId } from '@hookline/shared/kernel';
import { isUniqueViolation } from '@hookline/shared/postgres';
import type { GatewayDeps } from '../deps.ts';
import { saveKnownPair } from '../queries/sign-in-addresses.ts';
import { insertUser } from '../queries/users.ts';
import { hashPair } from '../rules/email-digest.ts';
import { knownAddressesMax } from '../rules/sign-in-limit.ts';
import type { From } from './sign-in.ts';
import { openSession, type SignedIn } from './start-session.ts';

export type SignUp = { email: string; password: string; name?: string | undefined };

/**
 * Creates a user and its account, and signs in.
 * @throws ApiError `invalid_request` for a taken e-mail address.
 */
export async function signUp(
  deps: GatewayDeps,
  { email, password, name }: SignUp,
  from: From,
): Promise<SignedIn> {
  const passwordHash = await deps.passwords.hash(password);
  const now = deps.now();
  try {
    return await deps.db.transaction(async tx => {
      const user = await insertUser(tx, {
        id: newId('user', now.getTime()),
        accountId: newId('acct', now.getTime()),
        email,
        name: name ?? null,
        passwordHash,
        now,
      });
      await saveKnownPair(
        tx,
        { pairHash: hashPair(email, from.address), userId: user.id, now },
        knownAddressesMax,
      );
      return await openSession(tx, user, now, from);
    });
  } catch (error) {
    if (isUniqueViolation(error, 'users_email_unique')) {
      throw invalidRequest('email is already registered; sign in, or use another address');
    }
    throw error;
  }
}
