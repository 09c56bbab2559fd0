/** Codes of Node for a connection that was not made: refused, no such name, no answer of DNS, no route. */
export const connectCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/**
 * True if the error is from before the connection was open, so that nothing was sent. An open connection can
 * end with EHOSTUNREACH too, once its retransmissions have failed.
 */
export function neverConnected(error: unknown): boolean {
  const { code, syscall } = error as { code?: unknown; syscall?: string };
  return connectCodes.has(code as string) && syscall !== 'read' && syscall !== 'write';
}

/** @returns what the setting must be where its address is none of this machine; null for any other reason */
export function explainHost(code: string | undefined, host: string, setting = 'HOST'): string | null {
  if (!/^(ENOTFOUND|EAI_|EADDRNOTAVAIL|EINVAL)/.test(code ?? '')) return null;
  return `${setting} must be an address of this machine, such as 127.0.0.1 or 0.0.0.0; ${host} is none (${code}).`;
}
