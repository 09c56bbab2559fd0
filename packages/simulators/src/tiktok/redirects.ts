/** `desktop` means localhost with PKCE; `web` means https without. */
export type RedirectKind = 'desktop' | 'web';

/**
 * The flow that a redirect URI belongs to, or null when TikTok would reject it: absolute, under 512
 * characters, no query, no fragment; https for web; localhost or 127.0.0.1 with a port for desktop;
 * registered, if there is a list.
 */
export function redirectKind(redirectUri: string, registered: string[] | null): RedirectKind | null {
  if (redirectUri.length >= 512 || /[?#]/.test(redirectUri)) return null;
  const url = URL.canParse(redirectUri) ? new URL(redirectUri) : null;
  if (url === null || url.username !== '' || url.password !== '') return null;
  if (registered !== null && !registered.some(pattern => matches(pattern, redirectUri))) return null;
  if (isLoopbackName(url.hostname)) {
    return /^https?:\/\/[^/]+:\d+(\/|$)/.test(redirectUri) ? 'desktop' : null;
  }
  return url.protocol === 'https:' ? 'web' : null;
}

function matches(pattern: string, redirectUri: string): boolean {
  if (!pattern.includes(':*')) return pattern === redirectUri;
  return pattern === redirectUri.replace(/^(https?:\/\/[^/:]+):\d+/, '$1:*');
}

function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1';
}
