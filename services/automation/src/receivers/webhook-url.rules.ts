import { bareHost, targetKey } from '@hookline/shared/http/public-address';

/** @returns the host whose rate limits deliveries to this URL; null for an allowed target */
export function findBoundedHost(text: string, allowedTargets: ReadonlySet<string>): string | null {
  const url = URL.parse(text);
  if (!url) return null;
  const port = url.port || (url.protocol === 'http:' ? '80' : '443');
  const host = bareHost(url.hostname);
  return allowedTargets.has(targetKey(host, port)) ? null : host;
}
