import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import type { Transaction } from '@hookline/shared/postgres';
import type { IdentityDeps } from '../../identity-deps.ts';
import type { From } from '../audit/record.ts';
import { clockToleranceSeconds } from '../oidc/issuer-access.ts';
import { checkPassword } from '../passwords/check.ts';
import type { SessionRow } from '../sessions/record.ts';
import { findUser, lockPasswordHash } from '../users/queries.ts';
import { freshSignInMs } from './plan.rules.ts';

export type Confirmation = { session: SessionRow; password: string | undefined; from: From };

/**
 * Confirms that the person of a session is present: by the password or, for somebody who signs in at the OIDC
 * issuer and has none, by a sign-in of the last 10 minutes.
 * @returns to be called in the transaction of what it permits: rejects when the password was replaced since
 */
export async function confirmPerson(
  deps: IdentityDeps,
  { session, password, from }: Confirmation,
): Promise<(tx: Transaction) => Promise<void>> {
  const user = await findUser(deps.db, session.userId);
  if (!user || user.passwordHash === null) {
    const ageMs = deps.now().getTime() - session.createdAt.getTime();
    // The clock of the issuer may be a little ahead.
    if (ageMs >= -clockToleranceSeconds * 1000 && ageMs <= freshSignInMs) return async () => {};
    throw new ApiError(
      'missing_scope',
      'Sign in again first: without a password, this needs a sign-in of the last 10 minutes.',
    );
  }
  if (password === undefined) throw invalidRequest('password must be the password of your account');
  const checked = await checkPassword(deps, { email: user.email, password }, from);
  if (!checked) throw notThePassword();
  return async tx => {
    if (!(await lockPasswordHash(tx, checked))) throw notThePassword();
  };
}

function notThePassword(): ApiError {
  return invalidRequest('password is wrong');
}
