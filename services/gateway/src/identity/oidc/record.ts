export type OidcSecrets = { state: string; nonce: string; verifier: string };

export type OidcAttempt = OidcSecrets & {
  returnTo: string;
  invitation: string | null;
  expiresAtMs: number;
};
