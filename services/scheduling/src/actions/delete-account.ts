import { ApiError } from '@hookline/shared/contracts';
import type { Parts } from '../parts.ts';
import { findPlatformAccount, markDeleted } from '../queries/platform-accounts.ts';
import { lockWaitingOfAccount } from '../queries/schedules.ts';
import { ownFailure } from '../rules/failures.ts';
import { getAccessToken } from './access-token.ts';
import { failSchedule } from './end-schedule.ts';

/**
 * Revokes the tokens at the platform, takes the account off every list and ends its waiting schedules.
 * @throws ApiError `account_not_found`
 */
export async function deleteAccount(parts: Parts, accountId: string, id: string): Promise<void> {
  const account = await findPlatformAccount(parts.db, accountId, id);
  if (!account) throw new ApiError('account_not_found');
  await revoke(parts, id);
  const failure = ownFailure(
    'account_not_connected',
    'account',
    'The TikTok account was disconnected before the post was due. Connect it and schedule again.',
    false,
  );
  await parts.db.transaction(async tx => {
    const now = parts.now();
    if (!(await markDeleted(tx, id, now))) throw new ApiError('account_not_found');
    for (const schedule of await lockWaitingOfAccount(tx, id)) await failSchedule(tx, schedule, failure, now);
  });
}

// Best effort: the tokens leave our table in any case, and a platform that is away must not keep an account alive.
// An access token lives two hours, and only a living one can be revoked: it is renewed first where it is over.
async function revoke(parts: Parts, id: string): Promise<void> {
  const token = await getAccessToken(parts, id);
  if (token.kind === 'account') return;
  const answer = token.kind === 'token' ? await parts.tiktok.revokeToken(token.token) : token;
  if (answer.kind !== 'ok')
    parts.log.warn({ answer: answer.kind }, 'the tokens of a deleted account could not be revoked');
}
