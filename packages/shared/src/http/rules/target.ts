import { invalidRequest } from '../../contracts/index.ts';
import { bareHost, isPublicHost, targetKey } from './public-address.ts';

/** `url` is as parsed by the URL parser, which turns numbers in any base into plain addresses. */
export type Target = {
  url: URL;
  /** A name or address, without the brackets of IPv6 and without a trailing dot. */
  host: string;
  /** The operator allows it: it passes no address filter, and may use http. */
  isExempt: boolean;
};

/** Where a URL leads, by its text. */
export function placeOf(
  url: URL,
  allowedTargets: ReadonlySet<string>,
): Pick<Target, 'host' | 'isExempt'> & { port: string } {
  const host = bareHost(url.hostname);
  const port = url.port || (url.protocol === 'http:' ? '80' : '443');
  return { host, port, isExempt: allowedTargets.has(targetKey(host, port)) };
}

/**
 * Checks the text only (API-4); names are resolved elsewhere.
 * @param field that has the text
 * @param hint what to do instead, at the end of a refusal of http or of a host that is not public
 * @throws ApiError `invalid_request`
 */
export function readTarget(
  field: string,
  text: string,
  allowedTargets: ReadonlySet<string>,
  hint = '',
): Target {
  const url = URL.parse(text);
  if (!url) throw invalidRequest(`${field} must be an absolute https URL, such as https://example.com/path`);
  const { host, port, isExempt } = placeOf(url, allowedTargets);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isExempt)) {
    throw invalidRequest(`${field} must use https${hint}`);
  }
  if (url.username || url.password) throw invalidRequest(`${field} must not carry a user name or password`);
  if (port === '0') throw invalidRequest(`${field} must have a port from 1 to 65535, or none`);
  if (!isExempt && !isPublicHost(host)) {
    throw invalidRequest(
      `${field} must name a public host: private, local and special addresses are refused${hint}`,
    );
  }
  return { url, host, isExempt };
}
