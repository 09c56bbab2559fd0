import { newId } from '@hookline/shared/kernel';
import type { ContentDeps } from '../deps.ts';
import { openCreditAccount } from './charge.ts';
import { findCredits, findGrant, insertGrant } from './queries.ts';

export type CreditGrant = {
  accountId: string;
  amount: number;
  /** Each reference is granted once. */
  reference: string;
};

export type GrantOutcome =
  | { kind: 'granted' | 'already_granted'; balance: number }
  /** The reference was used for another account or amount, so nothing was granted. */
  | { kind: 'other_grant'; amount: number; isSameAccount: boolean };

/** Adds credits once per reference. An account that never generated also gets its sign-up grant. */
export function grantCredits(
  deps: Pick<ContentDeps, 'db' | 'now' | 'signupCredits'>,
  { accountId, amount, reference }: CreditGrant,
): Promise<GrantOutcome> {
  return deps.db.transaction(async tx => {
    const at = deps.now();
    await openCreditAccount(deps, tx, accountId);
    const isNew = await insertGrant(tx, {
      accountId,
      amount,
      reference,
      ledgerId: newId('credit', at.getTime()),
      requestId: newId('req', at.getTime()),
      at,
    });
    const earlier = isNew ? null : await findGrant(tx, reference);
    if (earlier && (earlier.accountId !== accountId || earlier.amount !== amount)) {
      return { kind: 'other_grant', amount: earlier.amount, isSameAccount: earlier.accountId === accountId };
    }
    const credits = await findCredits(tx, accountId);
    return { kind: isNew ? 'granted' : 'already_granted', balance: credits?.balance ?? 0 };
  });
}
