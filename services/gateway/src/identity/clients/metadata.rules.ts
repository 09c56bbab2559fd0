import { bareHost, isPublicHost, targetKey } from '@hookline/shared/http/public-address';
import { dayMs } from '@hookline/shared/kernel/durations';
import { isRedirectUri } from './redirect-uri.rules.ts';

export type ClientMetadata = { name: string; redirectUris: readonly string[] };

/** `error` is a code of RFC 7591; `reason` names the field. */
export type MetadataRefusal = { error: 'invalid_client_metadata' | 'invalid_redirect_uri'; reason: string };

/** Lifetime of a registered client, before and after somebody granted it something. */
export const unusedClientMs = dayMs;
export const usedClientMs = 90 * dayMs;

const redirectsMax = 20;
const nameMax = 80;

/**
 * True if the client id is the address of a document: https, a path, nothing that
 * another spelling could have.
 */
export function isDocumentAddress(clientId: string): boolean {
  const url = clientId.length <= 500 ? URL.parse(clientId) : null;
  return (
    url !== null &&
    url.protocol === 'https:' &&
    url.pathname !== '/' &&
    url.href === clientId &&
    !url.hash &&
    !url.username &&
    !url.password
  );
}

/** True if the document may be fetched. @param exempt `host:port` that the address filter lets through */
export function isFetchable(clientId: string, exempt: ReadonlySet<string>): boolean {
  const url = new URL(clientId);
  const host = bareHost(url.hostname);
  return isPublicHost(host) || exempt.has(targetKey(host, url.port || 443));
}

export function readClientDocument(clientId: string, text: string): ClientMetadata | MetadataRefusal {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return refusal('the document of the client is not JSON');
  }
  if (!isObject(given) || given.client_id !== clientId) {
    return refusal('client_id of the document must be the address of the document');
  }
  return readMetadata(given, new URL(clientId).host);
}

export function readRegistration(given: unknown): ClientMetadata | MetadataRefusal {
  if (!isObject(given)) return refusal('the body must be a JSON object');
  return readMetadata(given, null);
}

/** @param otherName for a client without a name; null: the host of its first redirect address */
function readMetadata(
  given: Record<string, unknown>,
  otherName: string | null,
): ClientMetadata | MetadataRefusal {
  const { redirect_uris: uris, client_name: name, token_endpoint_auth_method: method } = given;
  const isList = Array.isArray(uris) && uris.length >= 1 && uris.length <= redirectsMax;
  if (!isList || !uris.every(uri => typeof uri === 'string' && isRedirectUri(uri))) {
    const reason = `redirect_uris must be 1 to ${redirectsMax} https, loopback or private-scheme addresses without a fragment`;
    return { error: 'invalid_redirect_uri', reason };
  }
  if (method !== undefined && method !== 'none' && otherName !== null) {
    return refusal('token_endpoint_auth_method must be "none": clients are public here');
  }
  for (const [field, needed] of [
    ['grant_types', 'authorization_code'],
    ['response_types', 'code'],
  ] as const) {
    const values = given[field];
    if (values !== undefined && !(Array.isArray(values) && values.includes(needed))) {
      return refusal(`${field} must contain "${needed}"`);
    }
  }
  if (name !== undefined && typeof name !== 'string') return refusal('client_name must be a text');
  const shown = plainText(name ?? '');
  const [first = ''] = uris as string[];
  return { name: shown || (otherName ?? new URL(first).host) || 'A client', redirectUris: uris as string[] };
}

/** One short line: a name must not look like a part of the page that shows it. */
function plainText(text: string): string {
  const line = text.replaceAll(/[\p{C}\p{Z}\s]+/gu, ' ').trim();
  return [...line].slice(0, nameMax).join('');
}

function refusal(reason: string): MetadataRefusal {
  return { error: 'invalid_client_metadata', reason };
}

function isObject(given: unknown): given is Record<string, unknown> {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}
