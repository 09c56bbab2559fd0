/**
 * Allow-lists of the headers that pass, so that a caller's key, forged internal headers (`x-hookline-*`,
 * `x-forwarded-*`, `forwarded`) and hop-by-hop headers never do.
 */
import type { IncomingHttpHeaders } from 'node:http';

const toOwner = [
  'accept',
  'accept-language',
  'user-agent',
  'idempotency-key',
  'if-none-match',
  'if-modified-since',
  'range',
  'tiktok-signature',
] as const;

const toCallerOfApi = ['content-type', 'retry-after', 'idempotent-replayed', 'allow', 'location'] as const;

const toCallerOfBytes = [
  ...toCallerOfApi,
  'content-length',
  'cache-control',
  'etag',
  'last-modified',
  'accept-ranges',
  'content-range',
  'content-disposition',
  'content-security-policy',
  'referrer-policy',
  'x-content-type-options',
] as const;

/** Without a body no content type: a service would read an empty body, and reject it as malformed JSON. */
export function requestHeaders(given: IncomingHttpHeaders, hasBody: boolean): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of toOwner) {
    const value = given[name];
    if (typeof value === 'string') headers[name] = value;
  }
  if (hasBody && given['content-type'] !== undefined) headers['content-type'] = given['content-type'];
  return headers;
}

export type AnswerHeaders = Record<string, string | string[] | number>;

/** Adds the headers that may pass to `headers`, which already has the gateway's own. */
export function addAnswerHeaders(
  headers: AnswerHeaders,
  given: IncomingHttpHeaders,
  answers: 'envelope' | 'page' | 'bytes',
): void {
  for (const name of answers === 'envelope' ? toCallerOfApi : toCallerOfBytes) {
    const value = given[name];
    if (value !== undefined) headers[name] = value;
  }
}
