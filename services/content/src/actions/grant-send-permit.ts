import type { requestSendPermit } from '@hookline/shared/contracts/internal';
import type { z } from 'zod';
import type { ContentDeps } from '../deps.ts';
import { lockContent } from '../queries/contents.ts';
import { findPermit, grantPermit } from '../queries/permits.ts';
import { toEventContent } from '../rules/content-record.ts';

export type PermitAnswer = z.input<(typeof requestSendPermit)['response']>;

/**
 * Grants a schedule the right to send the content now, under the content's row lock, and refuses what is not
 * approved at this moment. The newest approved version is what may be sent (decision 45). Asking again for the
 * same schedule grants again.
 */
export function grantSendPermit(
  deps: Pick<ContentDeps, 'db' | 'now'>,
  request: { contentId: string; accountId: string; scheduleId: string; afterSequence: number },
): Promise<PermitAnswer> {
  return deps.db.transaction(async tx => {
    const content = await lockContent(tx, request.accountId, request.contentId);
    if (!content) return { granted: false as const, code: 'not_found' as const, approvalStatus: null };
    const { approvalStatus, status, version, id } = content;
    if (status !== 'ready') return { granted: false as const, code: 'not_ready' as const, approvalStatus };
    const held = await findPermit(tx, request.scheduleId);
    if (!held && approvalStatus !== 'approved') {
      return { granted: false as const, code: 'not_approved' as const, approvalStatus };
    }
    const { scheduleId, afterSequence } = request;
    await grantPermit(tx, { scheduleId, contentId: id, version, afterSequence, at: deps.now() });
    return { granted: true as const, content: toEventContent(content) };
  });
}
