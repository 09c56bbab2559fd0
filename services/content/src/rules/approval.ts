import type { ErrorCode } from '@hookline/shared/contracts';
import type { Content } from '@hookline/shared/contracts/content';
import type { SendState } from '../records/permit.ts';

export type ReviewState = Pick<Content, 'status' | 'approvalStatus' | 'version'> & { sendState: SendState };

export type ReviewVerdict =
  | { kind: 'apply' }
  /** The same decision again: 200 without a new event (D-2). */
  | { kind: 'unchanged' }
  | { kind: 'refuse'; code: ErrorCode; message: string };

/**
 * Decides whether a review is allowed now. Approve and reject may override each other while no schedule of
 * the content is sending or sent (API-3, D-2).
 */
export function judgeReview(
  state: ReviewState,
  decision: 'approved' | 'rejected',
  version: number | undefined,
): ReviewVerdict {
  if (state.status !== 'ready') {
    return { kind: 'refuse', code: 'not_ready', message: `This content is ${state.status}, not ready.` };
  }
  if (version !== undefined && version !== state.version) {
    const message = `version is ${version}, but the current version is ${state.version}; look at it first.`;
    return { kind: 'refuse', code: 'not_ready', message };
  }
  if (state.approvalStatus === decision) return { kind: 'unchanged' };
  return refusalWhileSent(state.sendState) ?? { kind: 'apply' };
}

/** The refusal of every change while a schedule is sending or has sent; otherwise null. */
export function refusalWhileSent(sendState: SendState): (ReviewVerdict & { kind: 'refuse' }) | null {
  if (sendState === 'sending') {
    return { kind: 'refuse', code: 'already_sending', message: 'A schedule of this content is on its way.' };
  }
  if (sendState === 'sent') {
    return {
      kind: 'refuse',
      code: 'already_sent',
      message: 'A schedule of this content was posted already.',
    };
  }
  return null;
}
