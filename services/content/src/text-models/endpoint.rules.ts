import { invalidRequest } from '@hookline/shared/contracts';
import type { SetTextModelBody } from '@hookline/shared/contracts/text-model';
import { readTarget } from '@hookline/shared/http/target';
import { type Endpoint, endpointOf, providers } from '@hookline/writer/providers';

/** What the workspace has connected, with its key opened. */
export type Known = Pick<Endpoint, 'provider' | 'baseUrl' | 'apiKey'>;

/**
 * The endpoint that a caller names. A stored key goes along only to the address that it was given for.
 * @throws ApiError `invalid_request`
 */
export function readEndpoint(
  { provider, model, apiKey, baseUrl: named }: SetTextModelBody,
  known: Known | null,
  allowedTargets: ReadonlySet<string>,
): Endpoint {
  const given = named ?? providers[provider].baseUrl;
  if (given === undefined) throw invalidRequest(`baseUrl is required with the provider ${provider}`);
  const label = named === undefined ? `provider ${provider}, at ${given},` : 'baseUrl';
  const baseUrl = readBaseUrl(label, given, allowedTargets);
  const isKept = known?.provider === provider && known.baseUrl === baseUrl;
  const found = endpointOf({
    provider,
    model,
    baseUrl,
    apiKey: apiKey ?? (isKept ? known.apiKey : undefined),
  });
  if (Array.isArray(found)) throw invalidRequest(`${found[0]} is required with the provider ${provider}`);
  return found;
}

/** @param label what the caller gave, for messages */
function readBaseUrl(label: string, text: string, allowedTargets: ReadonlySet<string>): string {
  const hint = '; the operator may allow other addresses (LLM_ALLOW_TARGETS)';
  const { url } = readTarget(label, text, allowedTargets, hint);
  if (url.search || url.hash) throw invalidRequest('baseUrl must have no query and no fragment');
  return url.href.replace(/\/+$/, '');
}

/** The field that a refused test speaks of: by the status, or where that says little, by the words. */
export function fieldOf(
  { status, words }: { status: number; words: string },
  { baseUrl }: Pick<SetTextModelBody, 'baseUrl'>,
): string {
  if (status === 0) return baseUrl === undefined ? 'provider' : 'baseUrl';
  if (status === 401 || status === 403 || /\b(api.?key|credential|unauthori[sz]ed)\b/i.test(words))
    return 'apiKey';
  return status === 200 || status === 404 || /\bmodel\b/i.test(words) ? 'model' : 'provider';
}

const runLength = 6;
const wordsMax = 300;

/** The words on one line, without the key or any part of it: providers quote both its ends. */
export function withoutKey(words: string, key: string | undefined): string {
  const line = words.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  const safe = line.replaceAll(/[^\s"'`(),;:]+/g, word => (isOfKey(word, key) ? '[key]' : word));
  return (safe.length > wordsMax ? `${safe.slice(0, wordsMax)}…` : safe).toWellFormed();
}

function isOfKey(word: string, key: string | undefined): boolean {
  if (/\*{2,}|[•…x]{4,}/.test(word)) return true;
  if (key === undefined) return false;
  const length = Math.min(runLength, key.length);
  for (let at = 0; at + length <= word.length; at += 1) {
    if (key.includes(word.slice(at, at + length))) return true;
  }
  return false;
}
