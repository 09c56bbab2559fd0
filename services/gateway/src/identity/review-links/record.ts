import type { ApprovalPolicy } from '@hookline/shared/contracts/approval-policy';
import type { ReviewLink } from '@hookline/shared/contracts/review-links';
import type { Role, Scope } from '@hookline/shared/contracts/scopes';

export type ReviewLinkRow = {
  id: string;
  accountId: string;
  contentId: string;
  version: number;
  mayDecide: boolean;
  createdBy: NonNullable<ReviewLink['createdBy']>;
  /** The person who made it, in person or with a key. */
  memberId: string;
  expiresAt: Date;
  createdAt: Date;
};

/** A link that opens, with what its maker may do now. */
export type StandingLinkRow = ReviewLinkRow & {
  workspace: string;
  role: Role;
  /** Null for a link that was made in person. */
  keyScopes: Scope[] | null;
  approvalPolicy: ApprovalPolicy;
};

export function toReviewLink(row: ReviewLinkRow): ReviewLink {
  const { id, contentId, version, mayDecide, createdBy, expiresAt, createdAt } = row;
  const at = createdAt.toISOString();
  const times = { expiresAt: expiresAt.toISOString(), createdAt: at, updatedAt: at };
  return { id, contentId, version, mayDecide, createdBy, ...times };
}
