import type { IdentityDeps } from '../../identity-deps.ts';
import type { From } from '../audit/record.ts';
import { mailSignInChange, mailVerification } from '../mail/send.ts';
import { ensureWorkspace, openSession, type SignedIn } from '../sessions/start.ts';
import { lockPasswordHash } from '../users/queries.ts';
import { deleteRecoveryCode } from '../users/queries-second-factor.ts';
import { hashRecoveryCode } from '../users/recovery-code.rules.ts';
import { requireNoPasskey } from './audit-attempt.ts';
import { checkPassword, knowAddress, type SecondFactor, wrongPassword } from './check.ts';

export function recoveryCodeFactor(deps: IdentityDeps, code: string): SecondFactor {
  return {
    method: 'password_and_recovery_code',
    refusal: 'The recovery code was refused: it is not one of this account, or was used before.',
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
  const user = await checkPassword(deps, given, from, second);
  if (!user) throw wrongPassword();
  const now = deps.now();
  if (!second) await requireNoPasskey(deps, user, from);
  return await deps.db.transaction(async tx => {
    // A new password ends the sessions that there are: one that it replaced must not open another after that.
    if (!(await lockPasswordHash(tx, user))) throw wrongPassword();
    await knowAddress(tx, user, { from, now });
    // `send-mails` keeps it to three an hour.
    await mailVerification(deps, tx, user);
    await ensureWorkspace(deps, { tx, from, now }, user);
    return await openSession({ tx, from, now }, user, { method: second?.method ?? 'password' });
  });
}
