/**
 * Credits are reserved before the work, then charged or given back with its outcome (API-4, rules 1 and 2).
 */

import { appendEvent } from '@hookline/shared/bus';
import { ApiError } from '@hookline/shared/contracts';
import { creditsLow } from '@hookline/shared/events';
import { newId } from '@hookline/shared/kernel';
import type { IdempotencyScope, Transaction } from '@hookline/shared/postgres';
import type { ContentDeps } from '../deps.ts';
import { secondsToUtcMidnight, utcDay } from './day.rules.ts';
import { levelReached } from './low.rules.ts';
import {
  captureCredit,
  insertCreditAccount,
  insertGrant,
  type NewReservation,
  type Reserved,
  releaseCredit,
  renewReservation,
  reserveCredit,
} from './queries.ts';
import { signUpGrant } from './record.ts';

// A reservation outlasts a generation and its two transactions. Then the reaper gives the credit back.
const reservationMarginMs = 52_000;
// So few grants that nobody counts them, each far below what the ledger's integers hold.
const topUpCredits = 10_000;
// Work that was admitted once is counted again but never refused.
const noCeiling = 2_147_483_647;

type Work = { accountId: string; contentId: string; requestId: string | null };
type NewWork = Work & { isResumed: boolean };

/** Writes an account's credit row and sign-up grant on first use. Idempotent. */
export function openCreditAccount(
  deps: Pick<ContentDeps, 'now' | 'signupCredits'>,
  tx: Transaction,
  accountId: string,
): Promise<void> {
  return insertCreditAccount(tx, accountId, signUpGrant(accountId, deps.signupCredits), deps.now());
}

/** Sets one credit aside if the key is claimed, so that it can be sent together with the claim. */
export function reserveIfClaimed(
  deps: ContentDeps,
  tx: Transaction,
  work: Omit<Work, 'requestId'>,
  ifClaimed: IdempotencyScope,
): Promise<Reserved> {
  return reserveCredit(tx, { ...newReservation(deps, work), ceiling: deps.dailyGenerations, ifClaimed });
}

/**
 * Sets one credit aside in the transaction that claims the work. Resumed work keeps the credit of its earlier
 * attempt.
 * @param tried by `reserveIfClaimed`
 * @throws ApiError `insufficient_credits`; `rate_limited` until midnight UTC at the daily ceiling
 */
export async function reserveGeneration(
  deps: ContentDeps,
  tx: Transaction,
  { accountId, contentId, requestId, isResumed }: NewWork,
  tried?: Reserved | null,
): Promise<void> {
  const reservation = { ...newReservation(deps, { accountId, contentId }), ceiling: deps.dailyGenerations };
  if (isResumed && (await renewReservation(tx, contentId, reservation.expiresAt))) return;
  let outcome = tried?.counted ? tried : await reserveCredit(tx, reservation);
  if (!outcome.counted) throw atCeiling(deps.now());
  if (!outcome.reserved) {
    // The account has no credit, or is new and needs its sign-up grant.
    await openCreditAccount(deps, tx, accountId);
    await topUp(deps, tx, accountId, requestId);
    outcome = await reserveCredit(tx, { ...reservation, ceiling: noCeiling, count: 0 });
  }
  if (!outcome.reserved) throw new ApiError('insufficient_credits');
}

/**
 * Charges in the transaction that writes the ready content. Work that outlived its reservation reserves
 * again.
 * @returns false if no credit is left: the content must not become ready
 */
export async function chargeGeneration(
  deps: Pick<ContentDeps, 'now' | 'generationMs' | 'isUnlimited'>,
  tx: Transaction,
  work: Work,
): Promise<boolean> {
  const { contentId, accountId, requestId } = work;
  const now = deps.now();
  const charge = { contentId, ledgerId: newId('credit', now.getTime()), requestId, at: now };
  if (await capture(deps, tx, accountId, charge)) return true;
  const reservation = { ...newReservation(deps, { accountId, contentId }), ceiling: noCeiling };
  let { reserved } = await reserveCredit(tx, reservation);
  if (!reserved && (await topUp(deps, tx, accountId, requestId))) {
    reserved = (await reserveCredit(tx, { ...reservation, count: 0 })).reserved;
  }
  return reserved && (await capture(deps, tx, accountId, charge));
}

/** Says when few credits are left. */
async function capture(
  { isUnlimited }: Pick<ContentDeps, 'isUnlimited'>,
  tx: Transaction,
  accountId: string,
  charge: Parameters<typeof captureCredit>[1],
): Promise<boolean> {
  const charged = await captureCredit(tx, charge);
  if (charged === null || isUnlimited) return charged !== null;
  const { balance, lastGrant } = charged;
  const level = levelReached(balance, lastGrant);
  const { ledgerId: subject, at } = charge;
  if (level !== null) {
    const data = { level, balance };
    await appendEvent(tx, creditsLow, { accountId, subject, source: 'content', at, data });
  }
  return true;
}

/** Where credits are unlimited, an account without any is granted more. @returns false where they are not */
async function topUp(
  { now, isUnlimited }: Pick<ContentDeps, 'now' | 'isUnlimited'>,
  tx: Transaction,
  accountId: string,
  requestId: string | null,
): Promise<boolean> {
  if (!isUnlimited) return false;
  const at = now();
  const ledgerId = newId('credit', at.getTime());
  return await insertGrant(tx, {
    accountId,
    amount: topUpCredits,
    reference: ledgerId,
    ledgerId,
    requestId,
    at,
  });
}

/** Keeps the credit of work that waits for its last try, so that the reaper does not give it back. */
export async function keepReserved(
  deps: Pick<ContentDeps, 'generationMs'>,
  tx: Transaction,
  { contentId, until }: { contentId: string; until: Date },
): Promise<void> {
  await renewReservation(tx, contentId, expiryFrom(deps, until));
}

export const releaseGeneration = releaseCredit;

function newReservation(
  deps: Pick<ContentDeps, 'now' | 'generationMs'>,
  work: Omit<Work, 'requestId'>,
): Omit<NewReservation, 'ceiling'> {
  const now = deps.now();
  return { ...work, day: utcDay(now), expiresAt: expiryFrom(deps, now), count: 1 };
}

/** `now` must follow the clock of the database, which the reaper uses. */
function expiryFrom({ generationMs }: Pick<ContentDeps, 'generationMs'>, now: Date): Date {
  return new Date(now.getTime() + generationMs + reservationMarginMs);
}

function atCeiling(now: Date): ApiError {
  const seconds = secondsToUtcMidnight(now);
  const message = `Too many requests. Retry after ${seconds}s.`;
  return new ApiError('rate_limited', message, { retryAfterSeconds: seconds });
}
