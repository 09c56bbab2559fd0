import type { Transaction } from '@hookline/shared/postgres';
import type { ContentDeps } from '../deps.ts';
import { insertCreditAccount } from '../queries/credits.ts';
import { signUpGrant } from '../records/credits.ts';

/**
 * Writes an account's credit row and sign-up grant on first use: its first generation or an operator's grant.
 * Idempotent.
 */
export function openCreditAccount(
  deps: Pick<ContentDeps, 'now' | 'signupCredits'>,
  tx: Transaction,
  accountId: string,
): Promise<void> {
  return insertCreditAccount(tx, accountId, signUpGrant(accountId, deps.signupCredits), deps.now());
}
