import { Agent } from 'undici';
import { createGuardedConnector, createResolver, type ResolveName } from './guarded-connect.ts';

/** One attempt's time in all, from look-up to the last byte of the answer. */
export const attemptTimeoutMs = 15_000;

/** A test's time: its caller waits for it, through the gateway's own patience of 15 s. */
export const testTimeoutMs = 10_000;

// As many as a worker claims at most.
const connectionsMax = 2_048;
const answerBytesMax = 64 * 1024;

export type SendResult = {
  /** Null when no answer came. */
  responseStatus: number | null;
  durationMs: number;
  /** Null when the receiver took it: 2xx. */
  error: string | null;
  retryAfter: string | undefined;
};

export type WebhookSender = {
  /** Sends once. A failure is a result; throws only when the sender was closed in the meantime. */
  send(url: string, headers: Record<string, string>, body: string, withinMs?: number): Promise<SendResult>;
  /** How names are resolved, for the check at registration. */
  resolve: ResolveName;
  close(): Promise<void>;
};

export type WebhookSenderOptions = {
  allowedTargets: ReadonlySet<string>;
  resolve?: ResolveName;
  timeoutMs?: number;
};

/** The status of the answer decides. Redirects are not followed; of its body at most 64 KB are read. */
export function createWebhookSender({
  allowedTargets,
  resolve = createResolver(),
  timeoutMs = attemptTimeoutMs,
}: WebhookSenderOptions): WebhookSender {
  const agent = new Agent({
    connect: createGuardedConnector(allowedTargets, resolve),
    // Many endpoints of many accounts may live at one origin (a relay): the lanes bound each of them, so that one
    // that hangs takes no connection from another.
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
      try {
        const { origin, pathname, search } = new URL(url);
        const answer = await agent.request({
          origin,
          path: pathname + search,
          method: 'POST',
          headers: { 'content-type': 'application/json', 'user-agent': 'Hookline-Webhooks/1', ...headers },
          body,
          signal: AbortSignal.timeout(withinMs),
        });
        await readOff(answer.body);
        const retryAfter = answer.headers['retry-after'];
        return {
          responseStatus: answer.statusCode,
          durationMs: took(),
          error: failureOf(answer.statusCode),
          retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
        };
      } catch (error) {
        // Our own stop says nothing about the receiver.
        if (isClosed) throw error;
        const text = describe(error as Error, withinMs);
        return { responseStatus: null, durationMs: took(), error: text, retryAfter: undefined };
      }
    },
    close: () => {
      isClosed = true;
      return agent.destroy();
    },
  };
}

/** Reads the answer to its end, so that the connection can be used again, unless it is too long for that. */
async function readOff(stream: AsyncIterable<Buffer> & { destroy(): void }): Promise<void> {
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > answerBytesMax) {
      stream.destroy();
      return;
    }
  }
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
