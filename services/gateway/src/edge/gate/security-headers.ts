/** Headers of every answer: no content sniffing, no referrer, no framing. */
export type SecurityHeaders = {
  readonly fields: Readonly<Record<string, string>>;
  readonly lines: string;
};

export function createSecurityHeaders(publicUrl: string): SecurityHeaders {
  const fields = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    ...(publicUrl.startsWith('https:')
      ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
      : {}),
  };
  const lines = Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  return { fields, lines };
}
