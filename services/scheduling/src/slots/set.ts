import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import type { BodyOf } from '@hookline/shared/contracts/route';
import type { updateAccount as updateRoute } from '@hookline/shared/contracts/schedules';
import { isTimezone } from '@hookline/shared/contracts/timezone';
import type { Caller } from '@hookline/shared/http';
import { setSlots } from '../accounts/queries.ts';
import type { PlatformAccount } from '../accounts/record.ts';
import type { SchedulingDeps } from '../deps.ts';

/** @throws ApiError `account_not_found`, and `invalid_request` for an unknown zone */
export async function updateAccount(
  { db, now }: SchedulingDeps,
  { caller, id, change }: { caller: Caller; id: string; change: BodyOf<typeof updateRoute> },
): Promise<PlatformAccount> {
  if (change.timezone !== undefined && !isTimezone(change.timezone)) {
    throw invalidRequest('timezone must be the name of an IANA time zone, such as Europe/Berlin or UTC');
  }
  const row = await db.transaction(tx => setSlots({ tx, now: now() }, caller.accountId, { id, ...change }));
  if (!row) throw new ApiError('account_not_found');
  return row;
}
