/** RFC 8252 and OAuth 2.1 section 2.3 say where a client may be sent back to. */

const loopback = ['127.0.0.1', '[::1]', 'localhost'];
// These schemes have no dot. Any other private scheme must be a reversed domain (RFC 8252, 7.1), which
// no part of an operating system listens to.
const programs = new Set([
  ...['claude:', 'cursor:', 'raycast:', 'vscode:', 'vscode-insiders:', 'windsurf:', 'zed:'],
]);
const lengthMax = 2_000;

/** True for an https address, http on loopback, and a private scheme of a native program. */
export function isRedirectUri(text: string): boolean {
  const url = text.length <= lengthMax && /^[\x21-\x7e]+$/.test(text) ? URL.parse(text) : null;
  if (!url || text.includes('#') || url.username || url.password) return false;
  if (url.protocol === 'https:') return url.hostname !== '';
  return isLoopback(url) || url.protocol.includes('.') || programs.has(url.protocol);
}

/** @param registered those of the client; one must be equal, but for the port on loopback */
export function isRegisteredRedirect(registered: readonly string[], given: string): boolean {
  return (
    isRedirectUri(given) && registered.some(one => one === given || withoutPort(one) === withoutPort(given))
  );
}

/** A person is shown the host, "this computer", or the scheme of a program there. */
export function placeOf(redirectUri: string): string {
  const url = new URL(redirectUri);
  if (url.protocol === 'https:') return url.host;
  return isLoopback(url) ? 'this computer' : url.protocol.slice(0, -1);
}

function isLoopback(url: URL): boolean {
  return url.protocol === 'http:' && loopback.includes(url.hostname);
}

/** Only the port of a loopback address is left out. */
function withoutPort(text: string): string {
  const url = URL.parse(text);
  return url && isLoopback(url) ? text.replace(/^(http:\/\/(?:\[[^\]]*\]|[^:/?#]*)):\d+/i, '$1') : text;
}
