/**
 * What a charge of one credit brought the balance to: nothing, or a fifth of the last grant. Only grants raise a
 * balance, so each is reached once between two of them.
 */
export function levelReached(balance: number, lastGrant: number): 'low' | 'none' | null {
  if (balance === 0) return 'none';
  return balance === Math.floor(lastGrant / 5) ? 'low' : null;
}
