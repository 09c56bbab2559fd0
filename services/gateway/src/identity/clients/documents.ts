/** Documents in which OAuth clients describe themselves, fetched from the address that is their id. */
import { readAtMost } from '@hookline/shared/http';
import type { ResolveName } from '@hookline/shared/http/guarded-connect';
import { dayMs, minuteMs } from '@hookline/shared/kernel/durations';

export type ClientDocuments = {
  /**
   * The text of the document, from the cache if it was fetched in the last 10 minutes. Where it cannot be
   * fetched now, a copy of the last day is used.
   */
  read(address: string, workspace: string): Promise<string>;
  close(): Promise<void>;
};

export class ClientDocumentError extends Error {
  override readonly name = 'ClientDocumentError';
  /** True when the host answered otherwise, or may not be asked: no copy is used then. */
  readonly isAnswer: boolean;

  constructor(reason: string, isAnswer: boolean) {
    super(reason);
    this.isAnswer = isAnswer;
  }
}

export class ClientDocumentsBusyError extends Error {
  override readonly name = 'ClientDocumentsBusyError';
}

const fetchTimeoutMs = 5_000;
const documentBytesMax = 16 * 1_024;
const freshMs = 10 * minuteMs;
const keptMs = dayMs;
const cachedMax = 200;
/** A host that never answers keeps a place for 5 s. */
const fetchesMax = 32;
const fetchesOfWorkspaceMax = 2;

export type ClientDocumentsOptions = {
  resolve?: ResolveName;
  monotonicMs?: () => number;
};

/** @param exempt `host:port` that the address filter lets through */
export function createClientDocuments(
  exempt: ReadonlySet<string>,
  { resolve, monotonicMs = () => performance.now() }: ClientDocumentsOptions = {},
): ClientDocuments {
  const cached = new Map<string, { text: string; fetchedAtMs: number }>();
  let opening: Promise<Fetcher> | undefined;
  const inFlight: string[] = [];

  async function fetchNow(address: string, workspace: string): Promise<string> {
    const own = inFlight.filter(other => other === workspace);
    if (own.length >= fetchesOfWorkspaceMax || inFlight.length >= fetchesMax) {
      throw new ClientDocumentsBusyError('too many documents are fetched now');
    }
    inFlight.push(workspace);
    try {
      opening ??= openFetcher(exempt, resolve);
      return await (await opening).fetch(address);
    } finally {
      inFlight.splice(inFlight.indexOf(workspace), 1);
    }
  }

  return {
    async read(address, workspace) {
      const known = cached.get(address);
      const ageMs = known ? monotonicMs() - known.fetchedAtMs : Number.POSITIVE_INFINITY;
      if (known && ageMs < freshMs) return known.text;
      try {
        const text = await fetchNow(address, workspace);
        cached.delete(address);
        if (cached.size >= cachedMax) cached.delete(cached.keys().next().value as string);
        cached.set(address, { text, fetchedAtMs: monotonicMs() });
        return text;
      } catch (error) {
        if (error instanceof ClientDocumentError && error.isAnswer) cached.delete(address);
        else if (known && ageMs < keptMs) return known.text;
        throw error;
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
        const isAnswer = statusCode < 500 && statusCode !== 429;
        const tooLong = () => new ClientDocumentError(`it has more than ${documentBytesMax} bytes`, isAnswer);
        const text = (await readAtMost(body, documentBytesMax, tooLong)).toString('utf8');
        const type = String(headers['content-type']);
        if (statusCode === 200 && /^application\/(?:[\w.-]+\+)?json\b/.test(type)) return text;
        throw new ClientDocumentError(`it answered ${statusCode} with ${type}`, isAnswer);
      } catch (error) {
        if (error instanceof ClientDocumentError) throw error;
        const failure = error as Error & { code?: string };
        throw new ClientDocumentError(describe(failure), failure.name === 'AddressRefusedError');
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
