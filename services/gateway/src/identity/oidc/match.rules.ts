type Claimed = { email: string; isEmailVerified: boolean };
type Known = { emailVerifiedAt: Date | null };

/**
 * True when whoever the issuer signs in is the person who signed up here with the same address. An issuer may
 * assert any address, so it must be one that the issuer alone gives out; anybody may have signed up with any
 * address, so it must have been proven here.
 * @param domains whose addresses the issuer alone gives out, in lower case
 */
export function isSamePerson(claimed: Claimed, known: Known, domains: readonly string[]): boolean {
  const domain = claimed.email.slice(claimed.email.lastIndexOf('@') + 1).toLowerCase();
  return claimed.isEmailVerified && known.emailVerifiedAt !== null && domains.includes(domain);
}
