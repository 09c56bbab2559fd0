import type { PushKind } from '@hookline/shared/contracts/push';
import type { Role } from '@hookline/shared/contracts/scopes';
import type { Transaction } from '@hookline/shared/postgres';
import type { IdentityDeps } from '../../identity-deps.ts';
import { rolesWith } from '../standing/roles.rules.ts';
import { gatherMsOf } from './push.rules.ts';
import { insertPushes } from './queries.ts';

const audiences: Readonly<Record<PushKind, readonly Role[]>> = {
  decks_waiting: rolesWith('content:approve'),
  post_due: rolesWith('schedules:publish'),
  post_failed: rolesWith('schedules:publish'),
  account_reconnect: ['owner'],
};

/** Stores a notification for each browser of those who may act on it. */
export async function tellBrowsers(
  { now }: Pick<IdentityDeps, 'now'>,
  tx: Transaction,
  { accountId, kind }: { accountId: string; kind: PushKind },
): Promise<void> {
  const at = now();
  const dueAt = new Date(at.getTime() + gatherMsOf(kind));
  await insertPushes(tx, { accountId, kind, roles: audiences[kind], dueAt, now: at });
}
