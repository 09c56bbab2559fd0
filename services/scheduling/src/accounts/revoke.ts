import type { SchedulingDeps } from '../deps.ts';
import type { Answer } from '../platform/answers.ts';
import { findTokens, type StoredTokens } from './queries.ts';
import { beginRevocation, endRevocation, lockCreator } from './queries-revocations.ts';
import { getAccessToken } from './tokens.ts';

/**
 * `revoked`: the account's tokens no longer work. `refused`: they cannot be revoked; those of another account
 * may be. `unanswered`: the platform gave no clear answer, as it would for another account. `shared`: another
 * workspace has since connected the creator, and nothing was revoked.
 */
export type Revocation = 'revoked' | 'refused' | 'unanswered' | 'shared';

/** Longer than a call (10 s), and than the platform takes to carry out one that was abandoned. */
const leaseMs = 15_000;

/**
 * Revokes the tokens of an account at the platform. Only a valid access token can be revoked, and it lasts
 * two hours, so one that has expired or that the platform no longer knows is renewed first. If the platform
 * refuses that as well, the creator has ended the consent, and nothing is left to revoke.
 */
export async function revokeTokens(
  deps: SchedulingDeps,
  { id, openId }: { id: string; openId: string },
): Promise<Revocation> {
  const failed = (outcome: Revocation, reason: string): Revocation => {
    deps.log.warn({ account: id, reason }, 'the tokens of a deleted account could not be revoked');
    return outcome;
  };
  const stored = await findTokens(deps.db, id);
  if (stored?.status === 'connected' && !canOpen(deps, id, stored))
    return failed('refused', 'no key opens them');
  let rejected: string | undefined;
  for (;;) {
    const token = await getAccessToken(deps, id, { rejected });
    if (token.kind === 'account') return 'revoked';
    if (token.kind === 'not_renewed') return failed('refused', token.code);
    if (token.kind === 'unavailable') return failed('unanswered', token.reason);
    const answer = await revokeToken(deps, { openId, ownId: id, token: token.token });
    if (answer === null) return 'shared';
    if (answer.kind === 'ok') return 'revoked';
    if (answer.kind !== 'refused') return failed('unanswered', answer.reason);
    if (answer.code !== 'invalid_grant' || rejected !== undefined) return failed('refused', answer.code);
    rejected = token.token;
  }
}

/**
 * Revokes one token, unless an account other than `ownId` has the creator connected. The revocation is
 * recorded before the call and until it has ended: a connection of the creator waits for it
 * (`connecting/finish.ts`), because it would lose its consent as well.
 * @returns null if the creator is connected elsewhere
 */
export async function revokeToken(
  { db, tiktok }: Pick<SchedulingDeps, 'db' | 'tiktok'>,
  { openId, ownId, token }: { openId: string; ownId: string | null; token: string },
): Promise<Answer<unknown> | null> {
  const begun = await db.transaction(async tx => {
    await lockCreator(tx, openId);
    return await beginRevocation(tx, { openId, ownId }, leaseMs);
  });
  if (begun === null) return null;
  const answer = await tiktok.revokeToken(token);
  // One without an answer may still be carried out, until the lease is over.
  if (answer.kind !== 'ambiguous') await endRevocation(db, openId, begun);
  return answer;
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
