import { invalidRequest } from '@hookline/shared/contracts';
import { bareHost, isPublicHost, targetKey } from '@hookline/shared/http/public-address';

/** `url` is as parsed by the URL parser, which turns numbers in any base into plain addresses. */
export type WebhookTarget = {
  url: URL;
  /** A name or address, without the brackets of IPv6 and without a trailing dot. */
  host: string;
  /** A target in WEBHOOK_ALLOW_TARGETS passes no address filter, and may use http. */
  isExempt: boolean;
};

export function parseAllowedTargets(entries: readonly string[]): ReadonlySet<string> {
  return new Set(entries.map(entry => entry.toLowerCase()));
}

/** Checks the text only (API-4); names are resolved elsewhere. */
export function readWebhookUrl(text: string, allowedTargets: ReadonlySet<string>): WebhookTarget {
  const url = URL.parse(text);
  if (!url) throw invalidRequest('url must be an absolute https URL, such as https://example.com/hooks');
  const host = bareHost(url.hostname);
  const port = url.port || (url.protocol === 'http:' ? '80' : '443');
  const isExempt = allowedTargets.has(targetKey(host, port));
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isExempt)) {
    throw invalidRequest('url must use https');
  }
  if (url.username || url.password) throw invalidRequest('url must not carry a user name or password');
  if (port === '0') throw invalidRequest('url must have a port from 1 to 65535, or none');
  if (!isExempt && !isPublicHost(host)) {
    throw invalidRequest('url must name a public host: private, local and special addresses are refused');
  }
  return { url, host, isExempt };
}

/** @returns the host whose rate limits deliveries to this URL; null for an allowed target */
export function findBoundedHost(text: string, allowedTargets: ReadonlySet<string>): string | null {
  const url = URL.parse(text);
  if (!url) return null;
  const port = url.port || (url.protocol === 'http:' ? '80' : '443');
  const host = bareHost(url.hostname);
  return allowedTargets.has(targetKey(host, port)) ? null : host;
}
