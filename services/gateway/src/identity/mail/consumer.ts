import { automationSkipped, jobCompleted, scheduleDue } from '@hookline/shared/events';
import { type Consumer, on } from '@hookline/shared/service';
import type { IdentityDeps } from '../../identity-deps.ts';
import { remindOfDecks, tellOwners, tellPosters } from './remind.ts';

/** None where no mail can be sent: every deck that is made would cost a transaction for nothing. */
export function mailsConsumers(deps: IdentityDeps): Consumer[] {
  if (!deps.mailer) return [];
  const remind = on(
    jobCompleted,
    (tx, event) => remindOfDecks(deps, tx, event.accountId),
    ({ job }) => job.status === 'ready',
  );
  const tell = on(
    automationSkipped,
    (tx, event) => tellOwners(deps, tx, event.accountId),
    ({ firstRepeat }) => firstRepeat,
  );
  const due = on(scheduleDue, (tx, event) => tellPosters(deps, tx, event));
  return [{ name: 'mails', reactions: [remind, tell, due], gathers: true }];
}
