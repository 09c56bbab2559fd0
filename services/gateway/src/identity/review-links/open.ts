import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import { reviewByLink } from '@hookline/shared/contracts/internal';
import type { LinkDecision, SharedDeck } from '@hookline/shared/contracts/review-links';
import type { Caller } from '@hookline/shared/http';
import { sha256 } from '@hookline/shared/kernel/sha256';
import type { IdentityDeps } from '../../identity-deps.ts';
import { effectiveScopes, scopesOfRole } from '../standing/roles.rules.ts';
import { findStandingLink } from './queries.ts';
import type { StandingLinkRow } from './record.ts';

/** @returns what the link shows, after the decision if there is one */
export async function openReviewLink(
  { db, now, peers }: Pick<IdentityDeps, 'db' | 'now' | 'peers'>,
  { token, address }: { token: string; address: string },
  decided?: LinkDecision,
): Promise<SharedDeck> {
  const link = await findStandingLink(db, sha256(token), now());
  if (!link) throw new ApiError('not_found', 'This link has expired or was withdrawn. Ask for another one.');
  const { id, contentId, version, mayDecide, workspace, expiresAt } = link;
  if (decided && !mayDecide) {
    throw new ApiError('missing_scope', 'This link shows the deck and may not decide on it.');
  }
  if (decided?.decision === 'changes_requested' && decided.reason === undefined) {
    throw invalidRequest('reason is required with the decision changes_requested');
  }
  const decision = decided
    ? {
        kind: decided.decision,
        by: { kind: 'reviewer' as const, id, name: decided.name },
        reason: decided.decision === 'approved' ? null : (decided.reason ?? null),
      }
    : null;
  const { deck } = await peers.call(reviewByLink, {
    params: { id: contentId },
    caller: callerOf(link),
    body: { version, linkId: id, decision },
    address,
  });
  return {
    ...deck,
    mayDecide: mayDecide && deck.mayDecide,
    workspace,
    expiresAt: expiresAt.toISOString(),
  };
}

/** Whoever made the link, with the rights that they have now. */
function callerOf(link: StandingLinkRow): Caller {
  const { accountId, memberId, role, keyScopes, approvalPolicy } = link;
  const isKey = link.createdBy.kind === 'key';
  const { id } = link.createdBy;
  return {
    accountId,
    keyId: isKey ? id : null,
    userId: isKey ? null : id,
    scopes: isKey ? effectiveScopes(keyScopes ?? [], role) : scopesOfRole(role),
    actor: { ...link.createdBy, creatorId: isKey ? memberId : null },
    approvalPolicy,
  };
}
