/** Clients of the API for a command: the SDK with the address, the key and the patience of this process. */
import { Hookline } from '@hookline/sdk';
import type { Access } from './access.ts';
import { noAccess } from './failure.ts';
import { sessionBaseUrl } from './links.ts';
import { version } from './version.ts';

export type Watch = {
  /** The SDK waits, and asks again. */
  onWait: (seconds: number, why: string) => void;
  /** Every answer, the ones that are asked for again included. */
  onAnswer?: ((response: Response) => void) | undefined;
};

/**
 * What the SDK does without being told otherwise; it gives up at once where it would wait
 * for longer than a minute.
 */
const maxRetries = 2;
const waitMaxSeconds = 60;

/** Writing and drawing a deck with a text model may take this long. */
const timeoutMs = 180_000;
const headers = { 'user-agent': `hookline-cli/${version}` };

/** What every client of this process has in common. */
export function clientOptions(baseUrl: string) {
  return { baseUrl, headers, timeoutMs };
}

/** @throws Failure without a key */
export function createClient(
  { baseUrl, apiKey }: Pick<Access, 'baseUrl' | 'apiKey'>,
  { onWait, onAnswer }: Watch,
): Hookline {
  if (apiKey === undefined) {
    throw noAccess(
      `There is no key for ${baseUrl}.`,
      'hookline login, or set HOOKLINE_API_KEY; on the machine of "npm start" run it in that folder',
    );
  }
  // By call: how often it was made in a row.
  const attempts = new Map<string, number>();
  return new Hookline({
    ...clientOptions(baseUrl),
    apiKey,
    maxRetries,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      onAnswer?.(response);
      const call = `${init?.method} ${input}`;
      const made = (attempts.get(call) ?? 0) + 1;
      const seconds = Number(response.headers.get('retry-after'));
      const isRepeated = !response.ok && seconds > 0 && seconds <= waitMaxSeconds && made <= maxRetries;
      attempts.set(call, isRepeated ? made : 0);
      if (isRepeated)
        onWait(seconds, response.status === 429 ? 'too many requests' : `it answered ${response.status}`);
      return response;
    },
  });
}

/** The same routes for the session of a person, which is a cookie. */
export function createSessionClient(baseUrl: string, cookie: string): Hookline {
  return new Hookline({
    ...clientOptions(sessionBaseUrl(baseUrl)),
    // The type wants one; it is never sent.
    apiKey: 'session',
    fetch: (input, init) => {
      const { authorization: _none, ...rest } = { ...(init?.headers as Record<string, string>) };
      return fetch(input, { ...init, headers: { ...rest, ...sessionHeaders, cookie } });
    },
  });
}

/** No other site is involved, which is what the product asks for before it changes anything. */
export const sessionHeaders = { 'sec-fetch-site': 'same-origin' };
