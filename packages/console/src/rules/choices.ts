/**
 * What was chosen for the last schedule of an account. TikTok wants privacy, comments and disclosures chosen
 * for each post, so none of them is kept.
 */
export type Choices = { mode: 'draft' | 'publish'; hasMusic: boolean };
export type LastChoices = { accountId: string; of: Readonly<Record<string, Choices>> };

export const noChoices: LastChoices = { accountId: '', of: {} };

export function withChoices(before: LastChoices, accountId: string, choices: Choices): LastChoices {
  return { accountId, of: { ...before.of, [accountId]: choices } };
}

type Usable = { id: string; appId: string | null; status: string };

/** The account that a deck goes to unless somebody chooses another: the last one used, or the only one. */
export function likelyAccount<A extends Usable>(
  accounts: readonly A[],
  appId: string,
  last: LastChoices,
): A | null {
  const usable = accounts.filter(
    account => account.status === 'connected' && (account.appId === null || account.appId === appId),
  );
  return usable.find(({ id }) => id === last.accountId) ?? (usable.length === 1 ? (usable[0] ?? null) : null);
}
