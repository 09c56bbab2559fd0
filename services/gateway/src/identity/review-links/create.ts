import { randomBytes } from 'node:crypto';
import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import { reviewByLink } from '@hookline/shared/contracts/internal';
import { type CreateReviewLinkBody, reviewLinksMax } from '@hookline/shared/contracts/review-links';
import type { Caller } from '@hookline/shared/http';
import { authorOf } from '@hookline/shared/http/authority';
import { newId } from '@hookline/shared/kernel';
import { hourMs } from '@hookline/shared/kernel/durations';
import { sha256 } from '@hookline/shared/kernel/sha256';
import type { Transaction } from '@hookline/shared/postgres';
import type { IdentityDeps } from '../../identity-deps.ts';
import { insertAudit } from '../audit/queries.ts';
import type { By } from '../audit/record.ts';
import { makeLinkToken } from '../links/link.rules.ts';
import { lockRole } from '../standing/queries.ts';
import { insertReviewLink, lockCountOfOpenLinks } from './queries.ts';
import type { ReviewLinkRow } from './record.ts';

type Wanted = { caller: Caller; params: { id: string }; body: CreateReviewLinkBody };

/** @returns the version that the link shows @throws ApiError where it may not decide as asked */
export async function findVersionToShow(
  { peers }: Pick<IdentityDeps, 'peers'>,
  { caller, params, body }: Wanted,
): Promise<number> {
  const shown = { params, caller, body: { version: null, decision: null } };
  const { deck } = await peers.call(reviewByLink, shown);
  if (!body.mayDecide || deck.mayDecide) return deck.version;
  throw new ApiError(
    'missing_scope',
    'A link with mayDecide needs the scope content:approve, a version that waits for a decision, and an approval policy that lets you take it.',
  );
}

export async function createReviewLink(
  { now, publicUrl }: Pick<IdentityDeps, 'now' | 'publicUrl'>,
  { tx, by }: { tx: Transaction; by: By },
  { caller, params: { id: contentId }, body: { expiresInHours, mayDecide = false } }: Wanted,
  version: number,
): Promise<{ row: ReviewLinkRow; url: string }> {
  const { accountId, actor } = caller;
  const memberId = authorOf(caller);
  // A key may be admitted a moment longer than its member stays.
  if (!actor || !memberId || !(await lockRole(tx, accountId, memberId))) throw new ApiError('unauthorized');
  const createdAt = now();
  if ((await lockCountOfOpenLinks(tx, { accountId, contentId }, createdAt)) >= reviewLinksMax) {
    throw invalidRequest(
      `id is of a content with ${reviewLinksMax} open review links, the most that one has; delete one`,
    );
  }
  const row: ReviewLinkRow = {
    id: newId('review', createdAt.getTime()),
    accountId,
    contentId,
    version,
    mayDecide,
    createdBy: { kind: actor.kind, id: actor.id, name: actor.name },
    memberId,
    expiresAt: new Date(createdAt.getTime() + expiresInHours * hourMs),
    createdAt,
  };
  const token = makeLinkToken(randomBytes(32));
  await insertReviewLink(tx, row, sha256(token));
  const subject = { kind: 'content' as const, id: contentId };
  const detail = { linkId: row.id, version, mayDecide, expiresAt: row.expiresAt.toISOString() };
  await insertAudit(
    { tx, by, now: createdAt },
    { accountId, action: 'review_link.created', subject, detail },
  );
  // Browsers send what follows the # to nobody: no log and no Referer has it.
  return { row, url: `${publicUrl}/console/review#${token}` };
}
