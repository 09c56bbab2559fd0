/** Secrets of one sign-in at the OIDC issuer. */
export type OidcSecrets = { state: string; nonce: string; verifier: string };

/** A sign-in that a browser began and carries with it, sealed. */
export type OidcAttempt = OidcSecrets & {
  /** A path of the console. */
  returnTo: string;
  /** The token of an invitation to accept on the way; null: none. */
  invitation: string | null;
  expiresAtMs: number;
};
