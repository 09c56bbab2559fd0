import type * as contracts from '@hookline/shared/contracts/internal';
import type { Transaction } from '@hookline/shared/postgres';
import type { z } from 'zod';
import { lockContent } from '../contents/queries.ts';
import { toEventContent } from '../contents/record.ts';
import type { ContentDeps } from '../deps.ts';
import { findApproved, findPermit, grantPermit } from './queries.ts';

export type PermitAnswer = z.input<(typeof contracts.requestSendPermit)['response']>;

export type PermitRequest = {
  contentId: string;
  accountId: string;
  scheduleId: string;
  afterSequence: number;
  /** What was posted by hand already. */
  version?: number | undefined;
};

/**
 * Permits a schedule to send the content, decided under the content's row lock. The newest approved version
 * may be sent (D-45), and one that a person has posted must have been approved. Idempotent for the same
 * schedule.
 */
export function grantSendPermit(
  deps: Pick<ContentDeps, 'db' | 'now'>,
  request: PermitRequest,
): Promise<PermitAnswer> {
  return deps.db.transaction(tx => grant(tx, deps.now(), request));
}

/** @returns the answers in the order of the requests */
export function grantSendPermits(
  deps: Pick<ContentDeps, 'db' | 'now'>,
  requests: readonly PermitRequest[],
): Promise<PermitAnswer[]> {
  return deps.db.transaction(async tx => {
    const answers = new Map<PermitRequest, PermitAnswer>();
    // Rows are locked in one order, so that two calls cannot deadlock.
    const ordered = requests.toSorted((a, b) => (a.contentId < b.contentId ? -1 : 1));
    for (const request of ordered) answers.set(request, await grant(tx, deps.now(), request));
    return requests.map(request => answers.get(request) as PermitAnswer);
  });
}

async function grant(tx: Transaction, at: Date, request: PermitRequest): Promise<PermitAnswer> {
  const { scheduleId, afterSequence } = request;
  const content = await lockContent(tx, request.accountId, request.contentId);
  if (!content) return { granted: false, code: 'not_found', approvalStatus: null };
  const { approvalStatus, status, id } = content;
  const { version = content.version } = request;
  if (status !== 'ready') return { granted: false, code: 'not_ready', approvalStatus };
  const openPermit = await findPermit(tx, scheduleId);
  const older = version === content.version ? null : await findApproved(tx, id, version);
  const isApproved =
    openPermit?.version === version ||
    older !== null ||
    (version === content.version && approvalStatus === 'approved');
  if (!isApproved) return { granted: false, code: 'not_approved', approvalStatus };
  const isCurrent = await grantPermit(tx, { scheduleId, contentId: id, version, afterSequence, at });
  if (!isCurrent) return { granted: false, code: 'outdated', approvalStatus };
  return { granted: true, content: toEventContent({ ...content, ...older }) };
}
