import { newId } from '@hookline/shared/kernel';
import type { Transaction } from '@hookline/shared/postgres';
import type { ContentDeps } from '../deps.ts';
import { ensureCreditAccount } from '../queries/credits.ts';

/**
 * Writes an account's credit row and sign-up grant when it is seen for the first time: with its first generation, an
 * operator's grant or the first look at its ledger. Repeatable.
 * @param requestId of what saw it first; null for work that no request asked for
 */
export function openCreditAccount(
  deps: Pick<ContentDeps, 'now' | 'signupCredits'>,
  tx: Transaction,
  { accountId, requestId }: { accountId: string; requestId: string | null },
): Promise<void> {
  const at = deps.now();
  const ledgerId = newId('credit', at.getTime());
  return ensureCreditAccount(tx, { accountId, grant: deps.signupCredits, ledgerId, requestId, at });
}
