import { jobCompleted } from '@hookline/shared/events';
import { type Consumer, on } from '@hookline/shared/service';
import type { IdentityDeps } from '../../identity-deps.ts';
import { remindOfDecks } from './remind.ts';

export function decksWaitingConsumer(deps: IdentityDeps): Consumer {
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
