/**
 * A claimed schedule: the check that its claim still holds, and the ways to release it. All times are the
 * database's clock.
 */
import type { Transaction } from '@hookline/shared/postgres';
import type { Claim } from './claims.ts';

export type ClaimedState = { isMine: boolean; isDue: boolean };

/** Checks that the locked row still belongs to the claim, and is still due. */
export async function checkClaim(tx: Transaction, claim: Claim): Promise<ClaimedState> {
  const [row] = await tx.query<ClaimedState>(
    `select fence = $2 and lease_until is not null as "isMine",
       coalesce(due_at <= clock_timestamp(), false) as "isDue"
     from schedules where id = $1`,
    [claim.id, claim.fence],
  );
  return row ?? { isMine: false, isDue: false };
}

/** Releases the claim; the schedule is due again after `inMs`. */
export async function defer(
  tx: Transaction,
  claim: Claim,
  inMs: number,
  countsAsTry: boolean,
): Promise<boolean> {
  const rows = await tx.query(
    `update schedules
     set due_at = clock_timestamp() + $3 * interval '1 ms', lease_until = null,
       tries = tries + case when $4 then 1 else 0 end
     where id = $1 and fence = $2 and lease_until is not null
     returning 1`,
    [claim.id, claim.fence, inMs, countsAsTry],
  );
  return rows.length > 0;
}

export async function release(tx: Transaction, claim: Claim): Promise<void> {
  await tx.query('update schedules set lease_until = null where id = $1 and fence = $2', [
    claim.id,
    claim.fence,
  ]);
}

export async function addTry(tx: Transaction, claim: Claim): Promise<void> {
  await tx.query('update schedules set tries = tries + 1 where id = $1 and fence = $2', [
    claim.id,
    claim.fence,
  ]);
}

/** Releases the claim without a next due time, because an attempt's outcome is pending. */
export async function park(tx: Transaction, claim: Claim): Promise<boolean> {
  const rows = await tx.query(
    `update schedules set due_at = null, lease_until = null
     where id = $1 and fence = $2 and lease_until is not null returning 1`,
    [claim.id, claim.fence],
  );
  return rows.length > 0;
}

/** Returns to waiting for an approval. `inMs` is the backstop; normally the decision's event comes first. */
export async function hold(tx: Transaction, claim: Claim, inMs: number, now: Date): Promise<void> {
  await tx.query(
    `update schedules
     set status = 'pending', held_since = coalesce(held_since, $4), lease_until = null,
       due_at = clock_timestamp() + $3 * interval '1 ms', updated_at = $4
     where id = $1 and fence = $2`,
    [claim.id, claim.fence, inMs, now],
  );
}
