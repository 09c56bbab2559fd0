import {
  createGuardedConnector,
  createResolver,
  type ResolveName,
} from '@hookline/shared/http/guarded-connect';
import { Agent } from 'undici';

/** Total time of one attempt, from lookup to the last byte of the answer. */
export const attemptTimeoutMs = 15_000;

/** Time of a test. Its caller waits for it, and the gateway gives up after 15 s. */
export const testTimeoutMs = 10_000;

// The most that a worker claims.
const connectionsMax = 2_048;
const answerBytesMax = 64 * 1024;
/** Bytes of an answer that are kept. */
const keptBytesMax = 1_024;

export type SendResult = {
  /** Null if no answer came. */
  responseStatus: number | null;
  durationMs: number;
  /** Null if the receiver accepted it: 2xx. */
  error: string | null;
  /** The first 1,024 bytes of the answer as text; null if no answer came. */
  response: string | null;
  retryAfter: string | undefined;
};

export type WebhookSender = {
  /** Sends once. A failure is a result; throws only if the sender has been closed. */
  send(url: string, headers: Record<string, string>, body: string, withinMs?: number): Promise<SendResult>;
  /** Resolves names for the check at registration. */
  resolve: ResolveName;
  close(): Promise<void>;
};

export type WebhookSenderOptions = {
  allowedTargets: ReadonlySet<string>;
  resolve?: ResolveName;
  timeoutMs?: number;
};

/** The status of the answer decides. Redirects are not followed; at most 64 KB of the body are read. */
export function createWebhookSender({
  allowedTargets,
  resolve = createResolver(),
  timeoutMs = attemptTimeoutMs,
}: WebhookSenderOptions): WebhookSender {
  const agent = new Agent({
    connect: createGuardedConnector(allowedTargets, resolve),
    // Many endpoints of many accounts may share one origin (a relay). The lanes bound each endpoint, so a
    // hanging one does not take connections from the others.
    connections: connectionsMax,
    pipelining: 1,
    keepAliveTimeout: 4_000,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  let isClosed = false;
  return {
    resolve,
    async send(url, headers, body, withinMs = timeoutMs) {
      const began = performance.now();
      const took = (): number => Math.round(performance.now() - began);
      // `AbortSignal.timeout` would live on, with its timer, until the time is over.
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(new DOMException('', 'TimeoutError')), withinMs).unref();
      try {
        const { origin, pathname, search } = new URL(url);
        const answer = await agent.request({
          origin,
          path: pathname + search,
          method: 'POST',
          headers: { 'content-type': 'application/json', 'user-agent': 'Hookline-Webhooks/1', ...headers },
          body,
          signal: limit.signal,
        });
        const response = await readOff(answer.body);
        const retryAfter = answer.headers['retry-after'];
        return {
          responseStatus: answer.statusCode,
          durationMs: took(),
          error: failureOf(answer.statusCode),
          response,
          retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
        };
      } catch (error) {
        // Our own stop says nothing about the receiver.
        if (isClosed) throw error;
        const text = describe(error as Error, withinMs);
        return {
          responseStatus: null,
          durationMs: took(),
          error: text,
          response: null,
          retryAfter: undefined,
        };
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => {
      isClosed = true;
      return agent.destroy();
    },
  };
}

/**
 * Reads the answer to its end, so that the connection can be reused, unless the answer is too long.
 * @returns its beginning
 */
async function readOff(stream: AsyncIterable<Buffer> & { destroy(): void }): Promise<string> {
  let bytes = 0;
  const kept: Buffer[] = [];
  for await (const chunk of stream) {
    if (bytes < keptBytesMax) kept.push(chunk.subarray(0, keptBytesMax - bytes));
    bytes += chunk.length;
    if (bytes > answerBytesMax) {
      stream.destroy();
      break;
    }
  }
  // `stream`: a character that the cut splits is left out. Postgres stores no U+0000.
  return new TextDecoder().decode(Buffer.concat(kept), { stream: true }).replaceAll('\0', '\uFFFD');
}

function failureOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `answered ${status}; redirects are not followed`;
  return `answered ${status}`;
}

function describe(error: Error & { code?: string }, timeoutMs: number): string {
  if (error.name === 'AddressRefusedError') return error.message;
  const timeouts = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];
  if (error.name === 'TimeoutError' || timeouts.includes(error.code ?? '')) {
    return `no complete answer within ${timeoutMs / 1000} s`;
  }
  return `the connection failed (${error.code ?? error.name})`;
}
