/**
 * True when a photo URL is under a verified property. A bare domain covers https on it and its subdomains; a
 * URL covers exactly that prefix. Localhost is the explicit exception for tests.
 */
export function isOwnedUrl(text: string, verifiedUrls: string[], allowLocalhostMedia: boolean): boolean {
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return false;
  if (allowLocalhostMedia && (url.hostname === 'localhost' || url.hostname === '127.0.0.1')) return true;
  return verifiedUrls.some(entry => isUnder(url, entry));
}

function isUnder(url: URL, entry: string): boolean {
  if (!entry.includes('://')) {
    const domain = entry.toLowerCase();
    return url.protocol === 'https:' && (url.hostname === domain || url.hostname.endsWith(`.${domain}`));
  }
  const prefix = entry.endsWith('/') ? entry : `${entry}/`;
  return url.href.startsWith(prefix);
}
