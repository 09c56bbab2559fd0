import { findLastSequences } from '@hookline/shared/outbox-append';
import type { Parts } from '../parts.ts';
import { type Claim, type ClaimedRow, lockCreators, lockDue, takeInHand } from '../queries/claims.ts';
import {
  listAccountsWithTokens,
  type PlatformAccount,
  type StoredTokens,
} from '../queries/platform-accounts.ts';
import { addTimelines } from '../queries/timeline.ts';

/** A schedule in hand, with what the send needs to know. */
export type Claimed = Claim & {
  row: ClaimedRow;
  account: PlatformAccount;
  tokens: StoredTokens;
  /** Sequence of the schedule's last event. */
  lastSequence: number;
};

/**
 * Claims due schedules, at most `countMax` and one per creator, and sets them to `sending`. From then on a DELETE or
 * PATCH is refused. A schedule whose worker died comes back by itself when its lease is over.
 */
export async function claimDue(
  { db, now, timings }: Pick<Parts, 'db' | 'now' | 'timings'>,
  countMax: number,
): Promise<Claimed[]> {
  const rows = await db.transaction(async tx => {
    const candidates = await lockDue(tx, countMax);
    if (candidates.length === 0) return [];
    const openIds = candidates.map(candidate => candidate.openId);
    await lockCreators(tx, openIds);
    const ids = candidates.map(candidate => candidate.id);
    const taken = await takeInHand(tx, ids, timings.leaseMs, now());
    const begins = new Set(candidates.filter(one => one.isPending).map(one => one.id));
    await addTimelines(
      tx,
      taken.filter(row => begins.has(row.id)).map(row => row.id),
      now(),
      'sending',
    );
    return taken;
  });
  if (rows.length === 0) return [];
  const accounts = await listAccountsWithTokens(
    db,
    rows.map(row => row.platformAccountId),
  );
  const sequences = await findLastSequences(
    db,
    'schedule',
    rows.map(row => row.id),
  );
  return rows.flatMap(row => {
    const account = accounts.get(row.platformAccountId);
    if (!account) return [];
    return [{ id: row.id, fence: row.fence, row, ...account, lastSequence: sequences.get(row.id) ?? 0 }];
  });
}
