/**
 * What was chosen for the last schedule of an account. TikTok wants privacy, comments and disclosures chosen
 * for each post, so none of them is kept.
 */
export type Choices = { mode: 'draft' | 'publish'; hasMusic: boolean };
export type LastChoices = {
  /** The account that each app's deck went to last. */
  accountOf: Readonly<Record<string, string>>;
  of: Readonly<Record<string, Choices>>;
};

export const noChoices: LastChoices = { accountOf: {}, of: {} };

export function withChoices(
  { accountOf, of }: LastChoices,
  appId: string,
  accountId: string,
  choices?: Choices,
): LastChoices {
  return {
    accountOf: { ...accountOf, [appId]: accountId },
    of: choices === undefined ? of : { ...of, [accountId]: choices },
  };
}

type OfApp = { appId: string | null };
type Usable = OfApp & { status: string };

/** An account may be of one app, or take the decks of all. */
export const takesApp = (account: OfApp, appId: string): boolean =>
  account.appId === null || account.appId === appId;

/** The connected accounts that a deck of the app may go to. */
export function usableAccounts<A extends Usable>(accounts: readonly A[], appId: string): A[] {
  return accounts.filter(account => account.status === 'connected' && takesApp(account, appId));
}

/** The accounts that a deck of the app may go to: the last one used alone, where it is one of them. */
export function likelyAccounts<A extends Usable & { id: string }>(
  accounts: readonly A[],
  appId: string,
  { accountOf }: LastChoices,
): A[] {
  const usable = usableAccounts(accounts, appId);
  const last = usable.filter(({ id }) => id === accountOf[appId]);
  return last.length > 0 ? last : usable;
}

/** The account that a deck goes to unless somebody chooses another. */
export function likelyAccount<A extends Usable & { id: string }>(
  accounts: readonly A[],
  appId: string,
  last: LastChoices,
): A | null {
  const [only = null, ...others] = likelyAccounts(accounts, appId, last);
  return others.length === 0 ? only : null;
}
