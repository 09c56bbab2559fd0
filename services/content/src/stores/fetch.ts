import { readAtMost } from '@hookline/shared/http';
import { type Dispatcher, request } from 'undici';

const bodyBytesMax = 5 * 1024 * 1024;
const redirectsMax = 2;

export type StoreRequest = { connections: Dispatcher; language: string; signal: AbortSignal };

export type StoreAnswer =
  | { ok: true; status: number; text: string }
  | { ok: false; error: 'unavailable' | 'garbage'; detail: string };

/**
 * GETs an address as text: at most 5 MB and two redirects, within the same origin. Statuses from 500, 403 and
 * 429 are `unavailable`, and so is a 404 after a redirect, which is about another address. Never throws.
 */
export async function fetchStore(address: URL, options: StoreRequest): Promise<StoreAnswer> {
  let url = address;
  try {
    for (let hop = 0; hop <= redirectsMax; hop++) {
      const answer = await fetchOnce(url, options);
      if (!('location' in answer)) {
        const isElsewhereGone = hop > 0 && answer.ok && answer.status === 404;
        return isElsewhereGone ? unavailable('redirected to a page that does not exist') : answer;
      }
      if (!URL.canParse(answer.location, url.href)) return garbage('redirect without a usable address');
      const next = new URL(answer.location, url.href);
      if (next.origin !== address.origin) return unavailable('redirected to another host');
      url = next;
    }
    return unavailable('too many redirects');
  } catch (error) {
    if (error instanceof TooLong) return garbage(error.message);
    return unavailable(error instanceof Error ? `${error.name}: ${error.message}` : 'failed');
  }
}

async function fetchOnce(
  url: URL,
  { connections, language, signal }: StoreRequest,
): Promise<StoreAnswer | { location: string }> {
  const { statusCode, headers, body } = await request(url, {
    dispatcher: connections,
    signal,
    headers: {
      accept: 'text/html,application/json,text/javascript;q=0.9',
      'accept-language': language,
      'user-agent': 'Hookline/1 (+app import)',
    },
  });
  if (statusCode >= 300 && statusCode < 400) {
    await body.dump({ limit: 64 * 1024 });
    return { location: String(headers.location ?? '') };
  }
  if (statusCode >= 500 || statusCode === 403 || statusCode === 429) {
    await body.dump({ limit: 64 * 1024 });
    return unavailable(`HTTP ${statusCode}`);
  }
  const bytes = await readAtMost(body, bodyBytesMax, () => new TooLong(`more than ${bodyBytesMax} bytes`));
  return { ok: true, status: statusCode, text: new TextDecoder().decode(bytes) };
}

class TooLong extends Error {}

const unavailable = (detail: string): StoreAnswer => ({ ok: false, error: 'unavailable', detail });
const garbage = (detail: string): StoreAnswer => ({ ok: false, error: 'garbage', detail });
