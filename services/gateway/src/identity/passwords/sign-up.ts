import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import { newId } from '@hookline/shared/kernel';
import { isUniqueViolation } from '@hookline/shared/postgres';
import type { IdentityDeps } from '../../identity-deps.ts';
import type { From } from '../audit/record.ts';
import { mailVerification } from '../mail/send.ts';
import { auditSignUp, openSession, type SignedIn } from '../sessions/start.ts';
import { insertUser } from '../users/queries.ts';
import { knowAddress } from './check.ts';
import { refuseWeakPassword } from './weak-password.rules.ts';

export type SignUp = { email: string; password: string; name?: string | undefined };

/** Creates a user and its account, and signs in. */
export async function signUp(
  deps: IdentityDeps,
  { email, password, name }: SignUp,
  from: From,
): Promise<SignedIn> {
  refuseWhenClosed(deps.signUps.openTo);
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
      await knowAddress(tx, user, { from, now });
      await mailVerification(deps, tx, user);
      const method = 'password';
      await auditSignUp({ tx, from, now }, user, { method, accountId: user.accountId });
      return await openSession({ tx, from, now }, user, { method });
    });
  } catch (error) {
    if (isUniqueViolation(error, 'users_email_unique')) {
      throw invalidRequest('email is already registered; sign in, or use another address');
    }
    throw error;
  }
}

function refuseWhenClosed(mode: IdentityDeps['signUps']['openTo']): void {
  if (mode === 'open') return;
  throw new ApiError(
    'missing_scope',
    mode === 'invite'
      ? 'Sign-up is by invitation here: ask an owner of a workspace for one.'
      : 'Sign-up is closed here: sign in with your organisation, or ask an owner of a workspace for an invitation.',
  );
}
