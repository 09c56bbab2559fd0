import type { SentBrief } from '@hookline/shared/contracts/brief';
import type { HooklineEvent } from '@hookline/shared/events';
import { deriveId } from '@hookline/shared/kernel/derive-id';
import type { Transaction } from '@hookline/shared/postgres';
import { findApp } from '../apps/queries.ts';
import { insertContent } from '../contents/queries.ts';
import type { ContentDeps } from '../deps.ts';
import { withTemplate } from '../pictures/choose.ts';
import { newContent } from './generation.rules.ts';
import { giveTurn, notifyQueued } from './queries.ts';

export type Fired = {
  automationId: string;
  firingId: string;
  appId: string;
  brief: SentBrief | null;
  approvalMode: 'auto' | 'manual' | 'unconfirmed';
  authorId?: string | undefined;
};

/** Writes the content of a firing as `queued`, in the consumer's transaction. A worker generates it. */
export async function queueContent(
  deps: Pick<ContentDeps, 'now'>,
  tx: Transaction,
  { accountId, requestId, data }: Pick<HooklineEvent<Fired>, 'accountId' | 'requestId' | 'data'>,
): Promise<void> {
  const now = deps.now();
  const { automationId, firingId, appId, brief, approvalMode, authorId = null } = data;
  const app = (await findApp(tx, accountId, appId)) ?? { id: appId, brand: null };
  const content = newContent(
    {
      id: deriveId('content', firingId),
      accountId,
      appId,
      type: 'slideshow',
      // A firing must be postable (D-13).
      brief: await withTemplate(tx, app, { ...brief, templateId: brief?.templateId ?? 'auto' }),
      requestId,
      originAutomationId: automationId,
      originFiringId: firingId,
      originApprovalMode: approvalMode,
      authorId,
    },
    now,
  );
  if (await insertContent(tx, content)) await giveTurn(tx, content);
  notifyQueued(tx);
}
