import { invalidRequest, notFound } from '@hookline/shared/contracts';
import type * as contracts from '@hookline/shared/contracts/results';
import type { BodyOf } from '@hookline/shared/contracts/route';
import { byOf, type Caller } from '@hookline/shared/http';
import { minuteMs } from '@hookline/shared/kernel/durations';
import type { Transaction } from '@hookline/shared/postgres';
import { askForLessons, keepFirstViews, saveResults } from './queries.ts';
import type { ResultsRow } from './record.ts';

// Tolerance for a caller's clock that is ahead (D-8).
const skewMs = minuteMs;

type Entry = { contentId: string; entered: BodyOf<typeof contracts.enterResults>; now: Date };

/** @throws ApiError `not_found` for a deck that was never approved, `invalid_request` for a time in the future. */
export async function enterResults(
  tx: Transaction,
  caller: Caller,
  { contentId, entered, now }: Entry,
): Promise<ResultsRow> {
  const { views, likes = null, comments = null, shares = null, saves = null } = entered;
  const at = entered.at === undefined ? now : new Date(entered.at);
  if (at.getTime() > now.getTime() + skewMs) throw invalidRequest('at must not be in the future');
  const kept = await saveResults(
    tx,
    { accountId: caller.accountId, contentId },
    { views, likes, comments, shares, saves, at, by: byOf(caller) },
  );
  if (!kept) throw notFound('content');
  await keepFirstViews(tx, caller.accountId, [contentId]);
  await askForLessons({ tx, accountId: caller.accountId, now }, [contentId]);
  return kept;
}
