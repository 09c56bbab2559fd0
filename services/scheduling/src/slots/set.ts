import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import type { BodyOf } from '@hookline/shared/contracts/route';
import type { updateAccount as updateRoute } from '@hookline/shared/contracts/schedules';
import { isTimezone } from '@hookline/shared/contracts/timezone';
import type { Caller } from '@hookline/shared/http';
import { changeAccount } from '../accounts/queries.ts';
import type { PlatformAccount } from '../accounts/record.ts';
import type { SchedulingDeps } from '../deps.ts';

/** @throws ApiError `account_not_found`, and `invalid_request` for an unknown zone or a name from TikTok */
export async function updateAccount(
  { db, now }: SchedulingDeps,
  { caller, id, change }: { caller: Caller; id: string; change: BodyOf<typeof updateRoute> },
): Promise<PlatformAccount> {
  if (change.timezone !== undefined && !isTimezone(change.timezone)) {
    throw invalidRequest('timezone must be the name of an IANA time zone, such as Europe/Berlin or UTC');
  }
  return await db.transaction(async tx => {
    const row = await changeAccount({ tx, now: now() }, caller.accountId, { id, ...change });
    if (!row) throw new ApiError('account_not_found');
    if (change.name !== undefined && row.kind !== 'phone') {
      throw invalidRequest('name must be left out: TikTok names an account of kind "api"');
    }
    return row;
  });
}
