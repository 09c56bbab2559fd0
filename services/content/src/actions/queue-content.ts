import type { Brief } from '@hookline/shared/contracts/brief';
import type { HooklineEvent } from '@hookline/shared/events';
import { deriveId } from '@hookline/shared/kernel';
import type { Transaction } from '@hookline/shared/postgres';
import type { ContentDeps } from '../deps.ts';
import { findApp } from '../queries/apps.ts';
import { insertContent, notifyQueued } from '../queries/contents.ts';
import { newContent } from '../rules/generation.ts';

export type Fired = {
  automationId: string;
  firingId: string;
  appId: string;
  brief: Brief | null;
  approvalMode: 'auto' | 'manual';
};

/** Writes the content of a firing as `queued`, in the consumer's transaction. A worker generates it. */
export async function queueContent(
  deps: Pick<ContentDeps, 'now'>,
  tx: Transaction,
  { accountId, requestId, data }: HooklineEvent<Fired>,
): Promise<void> {
  const now = deps.now();
  const { automationId, firingId, appId, brief, approvalMode } = data;
  // The deck is made from the app as it is seconds later. If it was changed by then, its mark is another one,
  // and approving the deck leaves it.
  const app = await findApp(tx, accountId, appId);
  const content = newContent(
    {
      id: deriveId('content', firingId),
      accountId,
      appId,
      type: 'slideshow',
      // A firing must be postable (D-13).
      brief: { ...brief, templateId: brief?.templateId ?? 'quote-card' },
      requestId,
      originAutomationId: automationId,
      originFiringId: firingId,
      originApprovalMode: approvalMode,
      appUnreviewedSince: app?.unreviewedSince ?? null,
    },
    now,
  );
  await insertContent(tx, content);
  notifyQueued(tx);
}
