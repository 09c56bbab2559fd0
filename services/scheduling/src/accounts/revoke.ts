import type { SchedulingDeps } from '../deps.ts';
import type { Answer, Carrier } from '../platform/carrier.rules.ts';
import { findTokens, type StoredTokens } from './queries.ts';
import { beginRevocation, endRevocation, lockCreator } from './queries-revocations.ts';
import { getAccessToken } from './tokens.ts';

/**
 * `refused`: tokens of another account may still be revoked. `unanswered`: it would be the same for others.
 * `shared`: another workspace has the creator connected, and nothing was revoked.
 */
export type Revocation = 'revoked' | 'refused' | 'unanswered' | 'shared';

/** A lease outlives a call (10 s), and one that was abandoned and is still carried out. */
const leaseMs = 15_000;

/**
 * Only a valid access token can be revoked, so one that has expired or is refused is renewed first. If the
 * platform refuses that as well, the creator has ended the consent, and nothing is left to revoke.
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
    const answer = await revokeToken(deps, { ...token, openId, ownId: id });
    if (answer === null) return 'shared';
    if (answer.kind === 'ok') return 'revoked';
    if (answer.kind !== 'refused') return failed('unanswered', answer.reason);
    if (answer.code !== 'invalid_grant' || rejected !== undefined) return failed('refused', answer.code);
    rejected = token.token;
  }
}

/**
 * Revokes one token, unless an account other than `ownId` has the creator connected. A connection of the
 * creator waits until the call has ended (`connecting/finish.ts`): it would lose its consent as well.
 * @returns null if the creator is connected elsewhere
 */
export async function revokeToken(
  { db }: Pick<SchedulingDeps, 'db'>,
  {
    carrier,
    openId,
    ownId,
    token,
  }: { carrier: Carrier; openId: string; ownId: string | null; token: string },
): Promise<Answer<unknown> | null> {
  const begun = await db.transaction(async tx => {
    await lockCreator(tx, openId);
    return await beginRevocation(tx, { openId, ownId }, leaseMs);
  });
  if (begun === null) return null;
  const answer = await carrier.revokeToken(token);
  // A call without an answer may still be carried out, until the lease is over.
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
