/** A refusal in the form of OAuth (RFC 6749 section 5.2), of the endpoints that clients of others call. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: string;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: string, reason: string, status = 400, retryAfterSeconds?: number) {
    super(reason);
    this.code = code;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
