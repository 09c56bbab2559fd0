import type { SchedulingDeps } from '../deps.ts';
import { findTokens, type StoredTokens } from '../queries/platform-accounts.ts';
import { getAccessToken } from './get-access-token.ts';

/**
 * `revoked`: the account's tokens no longer work. `refused`: they cannot be revoked; those of another account
 * may be. `unanswered`: the platform gave no clear answer, as it would for another account.
 */
export type Revocation = 'revoked' | 'refused' | 'unanswered';

/**
 * Revokes the tokens of an account at the platform. Only a valid access token can be revoked, and it lasts
 * two hours, so one that has expired or that the platform no longer knows is renewed first. If the platform
 * refuses that as well, the creator has ended the consent, and nothing is left to revoke.
 */
export async function revokeTokens(deps: SchedulingDeps, id: string): Promise<Revocation> {
  const failed = (outcome: Revocation, reason: string): Revocation => {
    deps.log.warn({ account: id, reason }, 'the tokens of a deleted account could not be revoked');
    return outcome;
  };
  const stored = await findTokens(deps.db, id);
  if (stored?.status === 'connected' && !canOpen(deps, id, stored))
    return failed('refused', 'no key opens them');
  let rejected: string | undefined;
  for (;;) {
    const token = await getAccessToken(deps, id, rejected);
    if (token.kind === 'account') return 'revoked';
    if (token.kind === 'not_renewed') return failed('refused', token.code);
    if (token.kind === 'unavailable') return failed('unanswered', token.reason);
    const answer = await deps.tiktok.revokeToken(token.token);
    if (answer.kind === 'ok') return 'revoked';
    if (answer.kind !== 'refused') return failed('unanswered', answer.reason);
    if (answer.code !== 'invalid_grant' || rejected !== undefined) return failed('refused', answer.code);
    rejected = token.token;
  }
}

function canOpen(
  { secretBox }: SchedulingDeps,
  id: string,
  { accessSealed, refreshSealed }: StoredTokens,
): boolean {
  return [accessSealed, refreshSealed].every(
    sealed => sealed === null || secretBox.tryOpen(sealed, id) !== null,
  );
}
