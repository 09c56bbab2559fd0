/** The ledger's moves: set aside before the work, charge or give back with the outcome (spec section 4, rules 1 and 2). */
import type { Transaction } from '@hookline/shared/db';
import { ApiError } from '@hookline/shared/errors';
import { newId } from '@hookline/shared/ids';
import type { ContentDeps } from '../deps.ts';
import {
  captureCredit,
  countGeneration,
  ensureCreditAccount,
  hasReservation,
  releaseCredit,
  reserveCredit,
} from '../queries/credits.ts';
import { secondsToUtcMidnight, utcDay } from '../rules/day.ts';

// Longer than a generation and its two transactions; after it the reaper gives the credit back.
const reservationMs = 60_000;

type Work = { accountId: string; contentId: string };

/**
 * Sets one credit aside, in the transaction that claims the work. Repeating it for the same content is free.
 * @throws ApiError `insufficient_credits`, or `rate_limited` with the seconds to midnight UTC at the day's ceiling.
 */
export async function reserveGeneration(deps: ContentDeps, tx: Transaction, work: Work): Promise<void> {
  const now = deps.now();
  const day = utcDay(now);
  await ensureCreditAccount(tx, {
    accountId: work.accountId,
    grant: deps.signupCredits,
    ledgerId: newId('credit', now.getTime()),
    at: now,
  });
  const isResumed = await hasReservation(tx, work.contentId);
  if (!isResumed && !(await countGeneration(tx, work.accountId, day, deps.dailyGenerations))) {
    const seconds = secondsToUtcMidnight(now);
    throw new ApiError('rate_limited', `Too many requests. Retry after ${seconds}s.`, {
      retryAfterSeconds: seconds,
    });
  }
  const expiresAt = new Date(Date.now() + reservationMs);
  const isReserved = await reserveCredit(tx, { ...work, day, expiresAt });
  if (!isReserved) throw new ApiError('insufficient_credits');
}

/**
 * Charges in the transaction that writes the ready content. Work that outlived its reservation sets a credit
 * aside again. @returns false when none is left: the content must not become ready.
 */
export async function chargeGeneration(
  deps: ContentDeps,
  tx: Transaction,
  work: Work & { requestId: string | null },
): Promise<boolean> {
  const now = deps.now();
  const charge = {
    contentId: work.contentId,
    ledgerId: newId('credit', now.getTime()),
    requestId: work.requestId,
    at: now,
  };
  if (await captureCredit(tx, charge)) return true;
  const expiresAt = new Date(Date.now() + reservationMs);
  const isReserved = await reserveCredit(tx, { ...work, day: utcDay(now), expiresAt });
  return isReserved && (await captureCredit(tx, charge));
}

export const releaseGeneration = releaseCredit;
