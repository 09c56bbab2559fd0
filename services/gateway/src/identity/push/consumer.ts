import type { PushKind } from '@hookline/shared/contracts/push';
import { type Role, roles, type Scope } from '@hookline/shared/contracts/scopes';
import {
  accountNeedsReauth,
  type HooklineEvent,
  jobCompleted,
  scheduleDue,
  scheduleFailed,
} from '@hookline/shared/events';
import type { Transaction } from '@hookline/shared/postgres';
import { type Consumer, on } from '@hookline/shared/service';
import type { IdentityDeps } from '../../identity-deps.ts';
import { scopesOfRole } from '../standing/roles.rules.ts';
import { gatherMsOf } from './push.rules.ts';
import { insertPushes } from './queries.ts';

const whoMay = (scope: Scope): Role[] => roles.filter(role => scopesOfRole(role).includes(scope));
const audiences: Readonly<Record<PushKind, readonly Role[]>> = {
  decks_waiting: whoMay('content:approve'),
  post_due: whoMay('schedules:publish'),
  post_failed: whoMay('schedules:publish'),
  account_reconnect: ['owner'],
};

/** Reads the events that notifications tell of. */
export function pushesConsumer({ now }: Pick<IdentityDeps, 'now'>): Consumer {
  const tell = (tx: Transaction, { accountId }: HooklineEvent, kind: PushKind, subjectId = '') => {
    const at = now();
    const dueAt = new Date(at.getTime() + gatherMsOf(kind));
    return insertPushes(tx, { accountId, kind, subjectId, roles: audiences[kind], dueAt, now: at });
  };
  return {
    name: 'pushes',
    gathers: true,
    reactions: [
      on(
        jobCompleted,
        (tx, event) => tell(tx, event, 'decks_waiting'),
        ({ job }) => job.status === 'ready',
      ),
      on(scheduleDue, (tx, event) => tell(tx, event, 'post_due', event.subject)),
      on(scheduleFailed, (tx, event) => tell(tx, event, 'post_failed')),
      on(accountNeedsReauth, (tx, event) => tell(tx, event, 'account_reconnect')),
    ],
  };
}
