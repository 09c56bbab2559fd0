/** What every answer says to a browser: believe the content type, tell nobody where you came from, frame nothing. */
export type SecurityHeaders = {
  readonly fields: Readonly<Record<string, string>>;
  /** The same as header lines, each with its CRLF, for answers that are written to the socket itself. */
  readonly lines: string;
};

/** @param publicUrl HSTS is promised only where the public address is https: on http it would mean nothing. */
export function createSecurityHeaders(publicUrl: string): SecurityHeaders {
  const fields = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
  const lines = Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  return { fields, lines };
}
