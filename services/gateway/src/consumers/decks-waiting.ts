import { jobCompleted } from '@hookline/shared/events';
import { type Consumer, on } from '@hookline/shared/service';
import { remindOfDecks } from '../actions/remind-of-decks.ts';
import type { GatewayDeps } from '../deps.ts';

/** Stores mails about content that waits for approval. */
export function decksWaitingConsumer(deps: GatewayDeps): Consumer {
  return {
    name: 'decks-waiting',
    reactions: [
      on(
        jobCompleted,
        (tx, event) => remindOfDecks(deps, tx, event.accountId),
        ({ job }) => job.status === 'ready',
      ),
    ],
  };
}
