import {
  accountNeedsReauth,
  automationSkipped,
  contentEdited,
  creditsLow,
  jobCompleted,
  scheduleDue,
  scheduleFailed,
  scheduleRejected,
} from '@hookline/shared/events';
import { type Consumer, on } from '@hookline/shared/service';
import type { IdentityDeps } from '../../identity-deps.ts';
import { onDecidedByLink } from '../review-links/decided.ts';
import { consoleIn } from '../standing/workspace.rules.ts';
import { quoted } from './mail.rules.ts';
import { remindOfDecks } from './remind.ts';
import { gatherFor, lineOf, tellCreditsLow, tellNothingNew, tellPosters } from './tell.ts';

/**
 * Without a mail server it passes over every event, without a transaction: the bus keeps no messages for it,
 * and a server that is set later sends no mails about what is long over.
 */
export function mailsConsumer(deps: IdentityDeps): Consumer {
  const remind = on(
    jobCompleted,
    (tx, event) => remindOfDecks(deps, tx, event.accountId),
    ({ job }) => job.status === 'ready',
  );
  const edited = on(contentEdited, (tx, event) => remindOfDecks(deps, tx, event.accountId));
  const tell = on(
    automationSkipped,
    (tx, event) => tellNothingNew(deps, tx, event.accountId),
    ({ firstRepeat }) => firstRepeat,
  );
  const due = on(scheduleDue, (tx, event) => tellPosters(deps, tx, event));
  const failed = on(scheduleFailed, (tx, { accountId, data: { schedule } }) => {
    const line = lineOf(schedule.title, schedule.failure?.message);
    return gatherFor(deps, tx, { accountId, kind: 'post_failed', line });
  });
  const refused = on(
    scheduleRejected,
    (tx, { accountId, data: { contentId, message } }) => {
      const line = `An automation: ${message}\n  ${consoleIn(deps.publicUrl, accountId)}/posts/${contentId}`;
      return gatherFor(deps, tx, { accountId, kind: 'post_failed', line });
    },
    // A person may have scheduled the deck before.
    ({ code }) => !['already_scheduled', 'already_sending', 'already_sent'].includes(code),
  );
  const reconnect = on(accountNeedsReauth, (tx, { accountId, data: { account } }) => {
    const line = lineOf(account.displayName);
    return gatherFor(deps, tx, { accountId, kind: 'account_reconnect', line });
  });
  const low = on(creditsLow, (tx, event) => tellCreditsLow(deps, tx, event));
  const decided = onDecidedByLink((tx, { accountId, contentId, userId, hook, what, name, reason }) => {
    const said = reason === null ? '' : `: ${quoted(reason)}`;
    const line = `${lineOf(hook, `${what} by ${quoted(name)}${said}`)}\n  ${consoleIn(deps.publicUrl, accountId)}/posts/${contentId}`;
    return gatherFor(deps, tx, { accountId, kind: 'link_decided', line, userId });
  });
  const reactions = [remind, edited, tell, due, failed, refused, reconnect, low, ...decided].map(reaction =>
    deps.mailer ? reaction : { ...reaction, concerns: () => false },
  );
  return { name: 'mails', reactions, gathers: true };
}
