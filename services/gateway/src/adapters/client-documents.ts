/** Documents in which OAuth clients describe themselves, fetched from the address that is their id. */
import { readAtMost } from '@hookline/shared/http';
import type { ResolveName } from '@hookline/shared/http/guarded-connect';

export type ClientDocuments = {
  /**
   * The text of the document, from the cache if it was fetched in the last 10 minutes.
   * @throws ClientDocumentError for an address that is not public, and without an
   * answer of 200 with JSON in 5 s
   */
  read(address: string): Promise<string>;
  close(): Promise<void>;
};

export class ClientDocumentError extends Error {
  override readonly name = 'ClientDocumentError';
}

const fetchTimeoutMs = 5_000;
const documentBytesMax = 16 * 1_024;
const freshMs = 10 * 60_000;
const cachedMax = 200;
// In flight at once, over all callers.
const fetchesMax = 8;

/** @param exempt `host:port` that the address filter lets through */
export function createClientDocuments(exempt: ReadonlySet<string>, resolve?: ResolveName): ClientDocuments {
  const cached = new Map<string, { text: string; untilMs: number }>();
  let opening: Promise<Fetcher> | undefined;
  let inFlight = 0;

  return {
    async read(address) {
      const known = cached.get(address);
      if (known && known.untilMs > performance.now()) return known.text;
      if (inFlight >= fetchesMax)
        throw new ClientDocumentError('too many documents are fetched now; try again');
      inFlight += 1;
      try {
        opening ??= openFetcher(exempt, resolve);
        const text = await (await opening).fetch(address);
        cached.delete(address);
        if (cached.size >= cachedMax) cached.delete(cached.keys().next().value as string);
        cached.set(address, { text, untilMs: performance.now() + freshMs });
        return text;
      } finally {
        inFlight -= 1;
      }
    },
    async close() {
      await (await opening)?.close();
    },
  };
}

type Fetcher = { fetch(address: string): Promise<string>; close(): Promise<void> };

/** Loaded with the first document: most installations never read one. */
async function openFetcher(exempt: ReadonlySet<string>, resolve?: ResolveName): Promise<Fetcher> {
  const [{ Agent }, { createGuardedConnector, createResolver }] = await Promise.all([
    import('undici'),
    import('@hookline/shared/http/guarded-connect'),
  ]);
  const agent = new Agent({
    connect: createGuardedConnector(exempt, resolve ?? createResolver()),
    connections: fetchesMax,
    keepAliveTimeout: 1_000,
  });
  return {
    async fetch(address) {
      const { origin, pathname, search } = new URL(address);
      const signal = AbortSignal.timeout(fetchTimeoutMs);
      try {
        const { statusCode, headers, body } = await agent.request({
          origin,
          path: pathname + search,
          method: 'GET',
          headers: { accept: 'application/json', 'user-agent': 'Hookline-OAuth/1' },
          signal,
        });
        const tooLong = () => new ClientDocumentError(`it has more than ${documentBytesMax} bytes`);
        const text = (await readAtMost(body, documentBytesMax, tooLong)).toString('utf8');
        const type = String(headers['content-type']);
        if (statusCode === 200 && /^application\/(?:[\w.-]+\+)?json\b/.test(type)) return text;
        throw new ClientDocumentError(`it answered ${statusCode} with ${type}`);
      } catch (error) {
        if (error instanceof ClientDocumentError) throw error;
        throw new ClientDocumentError(describe(error as Error & { code?: string }));
      }
    },
    close: () => agent.destroy(),
  };
}

function describe({ name, message, code }: Error & { code?: string }): string {
  if (name === 'TimeoutError') return `there was no answer in ${fetchTimeoutMs / 1_000} s`;
  if (name === 'AddressRefusedError') return message;
  return `the connection failed (${code ?? 'unknown'})`;
}
