import {
  createGuardedConnector,
  createResolver,
  type ResolveName,
} from '@hookline/shared/http/guarded-connect';
import { Agent } from 'undici';

/** An attempt ends after this time, from lookup to the last byte of the answer. */
export const attemptTimeoutMs = 15_000;

/** The caller of a test waits for it, and the gateway gives up after 15 s. */
export const testTimeoutMs = 10_000;

// A worker claims no more.
const connectionsMax = 2_048;
const answerBytesMax = 64 * 1024;
const keptBytesMax = 1_024;

export type SendResult = {
  /** `responseStatus` and `response` are null if no answer came, `error` if it was 2xx. */
  responseStatus: number | null;
  durationMs: number;
  error: string | null;
  /** The first 1,024 bytes of the answer, as text. */
  response: string | null;
  retryAfter: string | undefined;
};

export type WebhookSender = {
  /** Returns a failure as a result; throws only if the sender has been closed. */
  send(url: string, headers: Record<string, string>, body: string, withinMs?: number): Promise<SendResult>;
  resolve: ResolveName;
  close(): Promise<void>;
};

export type WebhookSenderOptions = {
  allowedTargets: ReadonlySet<string>;
  resolve?: ResolveName;
  timeoutMs?: number;
};

export function createWebhookSender({
  allowedTargets,
  resolve = createResolver(),
  timeoutMs = attemptTimeoutMs,
}: WebhookSenderOptions): WebhookSender {
  const agent = new Agent({
    connect: createGuardedConnector(allowedTargets, resolve),
    // Many endpoints may share one origin (a relay). Lanes bound each endpoint, so a hanging one takes no
    // connections from the others.
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

/** Reads the answer to its end, unless it is too long, so that the connection can be reused. */
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
  // `stream` leaves out a character that the cut splits. Postgres stores no U+0000.
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
