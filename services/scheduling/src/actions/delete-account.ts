import { appendEvent } from '@hookline/shared/bus';
import { ApiError } from '@hookline/shared/contracts';
import { accountDisconnected } from '@hookline/shared/events';
import { byOf, type Caller } from '@hookline/shared/http';
import type { SchedulingDeps } from '../deps.ts';
import { findPlatformAccount, markDeleted } from '../queries/platform-accounts.ts';
import { lockWaitingOfAccount } from '../queries/schedules.ts';
import { ownFailure } from '../rules/failures.ts';
import { getAccessToken } from './get-access-token.ts';
import { failSchedule } from './record-transition.ts';

/**
 * Revokes the tokens at the platform, removes the account from every list and ends its waiting schedules.
 * @throws ApiError `account_not_found`
 */
export async function deleteAccount(deps: SchedulingDeps, caller: Caller, id: string): Promise<void> {
  const account = await findPlatformAccount(deps.db, caller.accountId, id);
  if (!account) throw new ApiError('account_not_found');
  // A platform that is down must not keep an account alive: the tokens are deleted
  // from the table in any case.
  await revokeTokens(deps, id);
  const failure = ownFailure(
    'account_not_connected',
    'account',
    'The TikTok account was disconnected before the post was due. Connect it and schedule again.',
    false,
  );
  await deps.db.transaction(async tx => {
    const now = deps.now();
    if (!(await markDeleted(tx, id, now))) throw new ApiError('account_not_found');
    await appendEvent(tx, accountDisconnected, {
      accountId: caller.accountId,
      subject: id,
      source: 'scheduling',
      at: now,
      data: { username: account.username, by: byOf(caller) },
    });
    for (const schedule of await lockWaitingOfAccount(tx, id)) await failSchedule(tx, schedule, failure, now);
  });
}

/**
 * Revokes the tokens of an account at the platform. Only a valid access token can be revoked, and it lasts
 * two hours, so an expired one is renewed first.
 * @returns false if the platform could not be reached or refused: the tokens may still work
 */
export async function revokeTokens(deps: SchedulingDeps, id: string): Promise<boolean> {
  const token = await getAccessToken(deps, id);
  if (token.kind === 'account') return true;
  const answer = token.kind === 'token' ? await deps.tiktok.revokeToken(token.token) : token;
  if (answer.kind === 'ok') return true;
  deps.log.warn({ answer: answer.kind }, 'the tokens of a deleted account could not be revoked');
  return false;
}
