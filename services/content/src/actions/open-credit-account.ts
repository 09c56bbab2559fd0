import { newId } from '@hookline/shared/kernel';
import type { Transaction } from '@hookline/shared/postgres';
import type { ContentDeps } from '../deps.ts';
import { hasCreditAccount, insertCreditAccount } from '../queries/credits.ts';

/** `requestId`: the request that first used the account; null for work without a request. */
export type SeenAccount = { accountId: string; requestId: string | null };

/**
 * Writes an account's credit row and sign-up grant on first use: its first generation, an operator's grant or
 * the first read of its ledger. Idempotent.
 */
export function openCreditAccount(
  deps: Pick<ContentDeps, 'now' | 'signupCredits'>,
  tx: Transaction,
  { accountId, requestId }: SeenAccount,
): Promise<void> {
  const at = deps.now();
  const ledgerId = newId('credit', at.getTime());
  return insertCreditAccount(tx, { accountId, grant: deps.signupCredits, ledgerId, requestId, at });
}

/** Opens the account unless a read shows that it exists. For callers outside a transaction. */
export async function openUnseenAccount(
  deps: Pick<ContentDeps, 'db' | 'now' | 'signupCredits'>,
  account: SeenAccount,
): Promise<void> {
  if (await hasCreditAccount(deps.db, account.accountId)) return;
  await deps.db.transaction(tx => openCreditAccount(deps, tx, account));
}
