import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import { newId } from '@hookline/shared/kernel';
import { isUniqueViolation } from '@hookline/shared/postgres';
import type { GatewayDeps } from '../deps.ts';
import { saveKnownPair } from '../queries/sign-in-failures.ts';
import { insertUser } from '../queries/users.ts';
import type { From } from '../records/audit-event.ts';
import { hashPair } from '../rules/email-digest.ts';
import { knownAddressesMax } from '../rules/sign-in-limit.ts';
import { refuseWeakPassword } from '../rules/weak-password.ts';
import { mailVerification } from './send-mail.ts';
import { auditSignUp, openSession, type SignedIn } from './start-session.ts';

export type SignUp = { email: string; password: string; name?: string | undefined };

/**
 * Creates a user and its account, and signs in.
 * @throws ApiError `invalid_request` for a taken e-mail address, and a password that is guessed first;
 * `missing_scope` where the operator allows no sign-up.
 */
export async function signUp(
  deps: GatewayDeps,
  { email, password, name }: SignUp,
  from: From,
): Promise<SignedIn> {
  refuseWhenClosed(deps.signUp);
  refuseWeakPassword(password, email);
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
        ownsWorkspace: true,
        now,
      });
      await saveKnownPair(
        tx,
        { pairHash: hashPair(email, from.address), userId: user.id, now },
        knownAddressesMax,
      );
      await mailVerification(deps, tx, user);
      await auditSignUp(tx, user, user.accountId, from, now, 'password');
      return await openSession(tx, user, now, from, 'password');
    });
  } catch (error) {
    if (isUniqueViolation(error, 'users_email_unique')) {
      throw invalidRequest('email is already registered; sign in, or use another address');
    }
    throw error;
  }
}

function refuseWhenClosed(mode: GatewayDeps['signUp']): void {
  if (mode === 'open') return;
  throw new ApiError(
    'missing_scope',
    mode === 'invite'
      ? 'Sign-up is by invitation here: ask an owner of a workspace for one.'
      : 'Sign-up is closed here: sign in with your organisation, or ask an owner of a workspace for an invitation.',
  );
}
