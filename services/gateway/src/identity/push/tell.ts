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
  link_decided: rolesWith('content:approve'),
};

/** Stores a notification for each browser of those who may act on it, or for `userId` alone. */
export async function tellBrowsers(
  { now }: Pick<IdentityDeps, 'now'>,
  tx: Transaction,
  { accountId, kind, userId = null }: { accountId: string; kind: PushKind; userId?: string | null },
): Promise<void> {
  const at = now();
  const dueAt = new Date(at.getTime() + gatherMsOf(kind));
  await insertPushes(tx, { accountId, kind, userId, roles: audiences[kind], dueAt, now: at });
}
