import type { Transaction } from './db.ts';

/**
 * Locks what an account has of something until the transaction ends, so that concurrent requests cannot
 * exceed a cap between them. Count after it, in the same transaction.
 * @param what a noun of the service, such as `webhooks`: it separates the locks of one account.
 */
export async function lockForCount(tx: Transaction, what: string, accountId: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtext($1), hashtext($2))', [
    `${what} of an account`,
    accountId,
  ]);
}
