import type { Brief } from '@hookline/shared/contracts/content';
import type { HooklineEvent } from '@hookline/shared/events';
import { newId } from '@hookline/shared/kernel';
import type { Transaction } from '@hookline/shared/postgres';
import type { ContentDeps } from '../deps.ts';
import { insertContent, notifyQueued } from '../queries/contents.ts';

export type Fired = {
  automationId: string;
  firingId: string;
  appId: string;
  brief: Brief | null;
  approvalMode: 'auto' | 'manual';
};

/** Writes the content of a firing as `queued`, in the consumer's transaction; the worker generates it. */
export async function queueContent(
  deps: Pick<ContentDeps, 'now'>,
  tx: Transaction,
  event: HooklineEvent<Fired>,
): Promise<void> {
  const now = deps.now();
  const { automationId, firingId, appId, brief, approvalMode } = event.data;
  await insertContent(tx, {
    id: newId('content', now.getTime()),
    accountId: event.accountId,
    appId,
    type: 'slideshow',
    status: 'queued',
    approvalStatus: 'pending',
    // A firing must be postable (D-13).
    brief: { ...brief, templateId: brief?.templateId ?? 'quote-card' },
    result: null,
    archetype: null,
    language: null,
    version: 1,
    costCharged: 0,
    notice: null,
    errorCode: null,
    errorMessage: null,
    originAutomationId: automationId,
    originFiringId: firingId,
    originApprovalMode: approvalMode,
    requestId: event.requestId,
    decidedVersion: null,
    decision: null,
    decidedAt: null,
    decidedByKeyId: null,
    createdAt: now,
    updatedAt: now,
  });
  notifyQueued(tx);
}
