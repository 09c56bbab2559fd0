import { contentApproved, contentChangesRequested, contentRejected } from '@hookline/shared/events';
import type { Transaction } from '@hookline/shared/postgres';
import { type Consumer, on } from '@hookline/shared/service';
import { findLinkMaker } from './queries.ts';

type Told = {
  accountId: string;
  contentId: string;
  /** Who made the link. */
  userId: string;
  hook: string;
  what: 'approved' | 'rejected' | 'sent back for changes';
  /** The name that the reviewer gave. */
  name: string;
  reason: string | null;
};

/** Reacts to each decision by a review link that still exists. */
export function onDecidedByLink(tell: (tx: Transaction, told: Told) => Promise<void>): Consumer['reactions'] {
  return [contentApproved, contentRejected, contentChangesRequested].map(definition =>
    on(
      definition,
      async (tx, { accountId, data: { content } }) => {
        const { by, reason } = content.changesRequested ?? content.approval!;
        const userId = await findLinkMaker(tx, accountId, by.id);
        if (userId === null) return;
        const what = content.changesRequested ? 'sent back for changes' : content.approval!.decision;
        const { id: contentId } = content;
        await tell(tx, {
          accountId,
          contentId,
          userId,
          hook: content.result?.hook ?? '',
          what,
          name: by.name,
          reason,
        });
      },
      ({ content: { changesRequested, approval } }) => (changesRequested ?? approval)?.by.kind === 'reviewer',
    ),
  );
}
