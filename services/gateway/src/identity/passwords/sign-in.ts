import type { IdentityDeps } from '../../identity-deps.ts';
import type { From } from '../audit/record.ts';
import { mailSignInChange, mailVerification } from '../mail/send.ts';
import { openSession, type SignedIn, type SignInMethod } from '../sessions/start.ts';
import { lockPasswordHash } from '../users/queries.ts';
import { deleteRecoveryCode } from '../users/queries-second-factor.ts';
import type { UserRow } from '../users/record.ts';
import { hashRecoveryCode } from '../users/recovery-code.rules.ts';
import { checkPassword, knowAddress, wrongPassword } from './check.ts';

/** What proves the person behind the right password. A check uses it up. */
export type SecondFactor = { method: SignInMethod; check(user: UserRow): Promise<boolean> };

export function recoveryCodeFactor(deps: IdentityDeps, code: string): SecondFactor {
  return {
    method: 'password_and_recovery_code',
    check: user =>
      deps.db.transaction(async tx => {
        if (!(await deleteRecoveryCode(tx, user.id, hashRecoveryCode(code)))) return false;
        await mailSignInChange(deps, tx, user, 'recovery_code_used');
        return true;
      }),
  };
}

/**
 * Signs in, and mails another link to a person whose address must be proven and is not. A wrong e-mail
 * address and a wrong password get the same answer after the same time. Without a second factor, a person who has
 * passkeys is refused where the session opens.
 */
export async function signIn(
  deps: IdentityDeps,
  given: { email: string; password: string },
  from: From,
  second: SecondFactor | null,
): Promise<SignedIn> {
  const user = await checkPassword(deps, given, from, second?.check);
  if (!user) throw wrongPassword();
  const now = deps.now();
  return await deps.db.transaction(async tx => {
    // A new password ends the sessions that there are: one that it replaced must not open another after that.
    if (!(await lockPasswordHash(tx, user))) throw wrongPassword();
    await knowAddress(tx, user, { from, now });
    // `send-mails` keeps it to three an hour.
    await mailVerification(deps, tx, user);
    return await openSession({ tx, from, now }, user, { method: second?.method ?? 'password' });
  });
}
