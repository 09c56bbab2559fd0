import { appendEvent } from '@hookline/shared/bus';
import { ApiError } from '@hookline/shared/contracts';
import { accountDisconnected } from '@hookline/shared/events';
import { byOf, type Caller } from '@hookline/shared/http';
import type { SchedulingDeps } from '../deps.ts';
import { ownFailure } from '../platform/failures.rules.ts';
import { lockWaitingOfAccount } from '../schedules/queries.ts';
import { failSchedule } from '../schedules/transition.ts';
import { findPlatformAccount, markDeleted, markDeletedIfShared } from './queries.ts';
import { toAccount } from './record.ts';
import { revokeTokens } from './revoke.ts';

const disconnected = ownFailure(
  'account_not_connected',
  'account',
  'The account was disconnected before the post was due. Connect it and schedule again.',
  false,
);

/** Only the last workspace of the creator revokes the tokens. @throws ApiError `account_not_found` */
export async function deleteAccount(deps: SchedulingDeps, caller: Caller, id: string): Promise<void> {
  const account = await findPlatformAccount(deps.db, caller.accountId, id);
  if (!account) throw new ApiError('account_not_found');
  const remove = (mark: typeof markDeleted): Promise<boolean> =>
    deps.db.transaction(async tx => {
      const now = deps.now();
      // Whoever gives a schedule a slot locks it before the account.
      await lockWaitingOfAccount(tx, id);
      if (!(await mark(tx, id, now))) return false;
      await appendEvent(tx, accountDisconnected, {
        accountId: caller.accountId,
        subject: id,
        source: 'scheduling',
        at: now,
        data: { account: { ...toAccount(account), status: 'disconnected' }, by: byOf(caller) },
      });
      for (const schedule of await lockWaitingOfAccount(tx, id))
        await failSchedule({ tx, now }, schedule, disconnected);
      return true;
    });
  do {
    if (await remove(markDeletedIfShared)) return;
    // An unreachable platform must not keep an account alive: its tokens are deleted either way.
  } while ((await revokeTokens(deps, account)) === 'shared');
  if (!(await remove(markDeleted))) throw new ApiError('account_not_found');
}
