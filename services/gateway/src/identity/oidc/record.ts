/** Secrets of one sign-in at the OIDC issuer. */
export type OidcSecrets = { state: string; nonce: string; verifier: string };

export type OidcAttempt = OidcSecrets & {
  /** A path of the console. */
  returnTo: string;
  /** The token of an invitation to accept on the way; null: none. */
  invitation: string | null;
  expiresAtMs: number;
};
