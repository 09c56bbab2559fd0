import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import type { Content } from '@hookline/shared/contracts/content';
import type { Caller } from '@hookline/shared/http';
import { authorOf, isPersonMissing } from '@hookline/shared/http/authority';
import type { SendState } from '../contents/record.ts';
import { type Refusal, refusalUnlessReady, refusalWhileSent } from '../contents/send-state.rules.ts';

export type ReviewState = Pick<Content, 'status' | 'approvalStatus' | 'version'> & { sendState: SendState };

/** `Reviewed` is what the reviewer saw; an undefined field accepts whatever is current. */
export type Reviewed = {
  version?: number | undefined;
  approvalStatus?: Content['approvalStatus'] | undefined;
};

export type ReviewVerdict =
  | { kind: 'apply' }
  /** The same decision again is answered 200 without a new event (D-2). */
  | { kind: 'unchanged' }
  | Refusal;

/**
 * Approve and reject may override each other while no schedule of the content is sending or sent (API-3,
 * D-2).
 */
export function judgeReview(
  state: ReviewState,
  decision: 'approved' | 'rejected',
  { version, approvalStatus }: Reviewed,
): ReviewVerdict {
  const unseen = refusalUnlessSeen(state, version);
  if (unseen) return unseen;
  if (state.approvalStatus === decision) return { kind: 'unchanged' };
  if (approvalStatus !== undefined && approvalStatus !== state.approvalStatus) {
    const message = `approvalStatus is ${approvalStatus}, but this content was ${state.approvalStatus} since; look at it first.`;
    return { kind: 'refuse', code: 'not_ready', message };
  }
  // The older version was posted: nothing else takes the new one out of the queue.
  if (state.sendState === 'sent' && state.approvalStatus === 'pending') return { kind: 'apply' };
  return refusalWhileSent(state.sendState) ?? { kind: 'apply' };
}

/** Only what waits for a decision can be sent back. */
export function refusalOfRequest(state: Omit<ReviewState, 'sendState'>, seen: Reviewed): Refusal | null {
  const unseen = refusalUnlessSeen(state, seen.version);
  if (unseen || state.approvalStatus === 'pending') return unseen;
  const message = `This content is ${state.approvalStatus}: it does not wait for a decision.`;
  return { kind: 'refuse', code: 'not_ready', message };
}

function refusalUnlessSeen(
  state: Pick<ReviewState, 'status' | 'version'>,
  version: number | undefined,
): Refusal | null {
  const notReady = refusalUnlessReady(state.status);
  if (notReady || version === undefined || version === state.version) return notReady;
  const message = `version is ${version}, but the current version is ${state.version}; look at it first.`;
  return { kind: 'refuse', code: 'not_ready', message };
}

/**
 * Checks a decision against the approval policy of the workspace.
 * @param seen states that the request names, by field
 * @param authors authors of what is decided on; null is an unknown one
 * @throws ApiError `missing_scope` for a caller who may not decide, `invalid_request` for a missing version
 */
export function requirePolicy(
  caller: Pick<Caller, 'actor' | 'approvalPolicy'>,
  seen: Readonly<Record<string, string | number | undefined>>,
  authors: readonly (string | null)[],
): void {
  const { requireVersion, selfApproval } = caller.approvalPolicy;
  if (isPersonMissing(caller)) {
    const message =
      'The approval policy of this workspace is approvers "people_only": a person must approve or reject, not a key.';
    throw new ApiError('missing_scope', message);
  }
  const unnamed = Object.keys(seen).find(field => seen[field] === undefined);
  if (requireVersion && unnamed) {
    throw invalidRequest(
      `${unnamed} is required by the approval policy of this workspace and must be the ${unnamed === 'version' ? 'version' : 'time of the change'} that you looked at`,
    );
  }
  const self = authorOf(caller);
  if (!selfApproval && self !== null && authors.includes(self)) {
    const message =
      'The approval policy of this workspace is selfApproval false: whoever made or last edited it, with a key or in person, cannot decide on it; for a slideshow of an automation also whoever last changed its brief, or something in the app that was not reviewed.';
    throw new ApiError('missing_scope', message);
  }
}
