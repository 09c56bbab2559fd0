import { jobCompleted } from '@hookline/shared/events';
import { type Consumer, on } from '@hookline/shared/service';
import type { IdentityDeps } from '../../identity-deps.ts';
import { remindOfDecks } from './remind.ts';

/** None where no mail can be sent: every deck that is made would cost a transaction for nothing. */
export function decksWaitingConsumers(deps: IdentityDeps): Consumer[] {
  if (!deps.mailer) return [];
  const remind = on(
    jobCompleted,
    (tx, event) => remindOfDecks(deps, tx, event.accountId),
    ({ job }) => job.status === 'ready',
  );
  return [{ name: 'decks-waiting', reactions: [remind], gathers: true }];
}
