import {
  accountNeedsReauth,
  contentEdited,
  jobCompleted,
  scheduleDue,
  scheduleFailed,
} from '@hookline/shared/events';
import { type Consumer, on } from '@hookline/shared/service';
import type { IdentityDeps } from '../../identity-deps.ts';
import { onDecidedByLink } from '../review-links/decided.ts';
import { tellBrowsers } from './tell.ts';

export function pushesConsumer(deps: Pick<IdentityDeps, 'now'>): Consumer {
  return {
    name: 'pushes',
    gathers: true,
    reactions: [
      on(
        jobCompleted,
        (tx, { accountId }) => tellBrowsers(deps, tx, { accountId, kind: 'decks_waiting' }),
        ({ job }) => job.status === 'ready',
      ),
      on(contentEdited, (tx, { accountId }) => tellBrowsers(deps, tx, { accountId, kind: 'decks_waiting' })),
      on(scheduleDue, (tx, { accountId }) => tellBrowsers(deps, tx, { accountId, kind: 'post_due' })),
      on(scheduleFailed, (tx, { accountId }) => tellBrowsers(deps, tx, { accountId, kind: 'post_failed' })),
      on(accountNeedsReauth, (tx, { accountId }) =>
        tellBrowsers(deps, tx, { accountId, kind: 'account_reconnect' }),
      ),
      ...onDecidedByLink((tx, { accountId, userId }) =>
        tellBrowsers(deps, tx, { accountId, kind: 'link_decided', userId }),
      ),
    ],
  };
}
