const loopback = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The host of `PUBLIC_URL` and loopback are ours, with any port. A page whose name was pointed at this
 * machine sends another one (DNS rebinding).
 */
export function isOwnHost(host: string | undefined, publicUrl: string): boolean {
  const url = host === undefined ? null : URL.parse(`http://${host}`);
  return url !== null && [...loopback, new URL(publicUrl).hostname].includes(url.hostname);
}

/**
 * True without an `Origin`, which only browsers send, for the origin of `PUBLIC_URL` and for
 * those of `CORS_ORIGINS`.
 */
export function isOwnOrigin(
  origin: string | undefined,
  publicUrl: string,
  corsOrigins: readonly string[],
): boolean {
  return origin === undefined || [new URL(publicUrl).origin, ...corsOrigins].includes(origin);
}
