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
