import { findLastSequences } from '@hookline/shared/bus';
import type { Transaction } from '@hookline/shared/postgres';
import { listAccountsWithTokens, type StoredTokens } from '../accounts/queries.ts';
import type { PlatformAccount } from '../accounts/record.ts';
import type { WriteContext } from '../context.ts';
import type { SchedulingDeps } from '../deps.ts';
import { lockScheduleById } from '../schedules/queries.ts';
import type { ScheduleRow } from '../schedules/record.ts';
import {
  type Candidate,
  type Claim,
  type ClaimedRow,
  claimSchedules,
  lockDue,
  parkBlocked,
} from './queries.ts';
import { checkClaim } from './queries-claimed.ts';

export type Claimed = Claim & {
  row: ClaimedRow;
  account: PlatformAccount;
  tokens: StoredTokens;
  /** The schedule's last event has this sequence. */
  lastSequence: number;
};

/** No call may start once `hasLease` is false: the lease was not renewed in time. */
export type HeldClaim = Claimed & { hasLease(): boolean };

/** Claims at most one schedule per creator. A schedule whose worker died is due again when its lease ends. */
export async function claimDue(
  { db, now, timings }: Pick<SchedulingDeps, 'db' | 'now' | 'timings'>,
  countMax: number,
): Promise<Claimed[]> {
  const rows = await db.transaction(async tx => {
    const candidates = await lockFront(tx, countMax);
    if (candidates.length === 0) return [];
    return await claimSchedules({ tx, now: now() }, candidates, timings.leaseMs);
  });
  if (rows.length === 0) return [];
  const [accounts, sequences] = await Promise.all([
    listAccountsWithTokens(
      db,
      rows.map(row => row.platformAccountId),
    ),
    findLastSequences(
      db,
      'schedule',
      rows.map(row => row.id),
    ),
  ]);
  return rows.flatMap(row => {
    const account = accounts.get(row.platformAccountId);
    if (!account) return [];
    return [{ id: row.id, fence: row.fence, row, ...account, lastSequence: sequences.get(row.id) ?? 0 }];
  });
}

// Several due schedules in a row may be one creator's, of which only one is claimed.
const examinedPerClaim = 4;
const widening = 8;
const parkedAtOnceMax = 2_048;

/**
 * Reads further back only if everything at the front must wait for its creator. Each such claim moves a batch
 * out of the way, so a backlog of any size is read only a few times and no other creator waits for it.
 */
async function lockFront(tx: Transaction, countMax: number): Promise<Candidate[]> {
  let isParked = false;
  for (let examineMax = countMax * examinedPerClaim; ; examineMax *= widening) {
    const { candidates, examined } = await lockDue(tx, countMax, examineMax);
    if (candidates.length > 0 || examined < examineMax) return candidates;
    if (!isParked) await parkBlocked(tx, parkedAtOnceMax);
    isParked = true;
  }
}

/** The row is locked. `isDue` is false if it was moved, or its outcome came, since the claim. */
export type LockedClaim = WriteContext & { claim: Claim; row: ScheduleRow; isDue: boolean };

/** Every write of a send goes through this, or through `lockClaims`. Null: another worker took over. */
export function withClaim<T>(
  { db, now }: Pick<SchedulingDeps, 'db' | 'now'>,
  claim: Claim,
  work: (locked: LockedClaim) => Promise<T>,
): Promise<T | null> {
  return db.transaction(async tx => {
    const row = await lockScheduleById(tx, claim.id);
    // A separate statement, under the lock, sees a claim that was made while this one waited for the lock.
    const { ownsClaim, isDue } = await checkClaim(tx, claim);
    return row && ownsClaim ? await work({ tx, now: now(), claim, row, isDue }) : null;
  });
}
