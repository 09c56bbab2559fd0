/** Posts to push services, whose addresses browsers name: dials only what the address filter lets through. */
import { createGuardedConnector, createResolver } from '@hookline/shared/http/guarded-connect';
import type { Agent } from 'undici';

export type PushAnswer = { status: number | null; retryAfterSeconds: number };

export type PushSender = {
  /** Never throws: no answer is one without a status. */
  post(endpoint: string, headers: Record<string, string>, body: Buffer): Promise<PushAnswer>;
  close(): Promise<void>;
};

const timeoutMs = 5_000;

/** @param exempt `host:port` that the address filter lets through, with http too */
export function createPushSender(exempt: ReadonlySet<string>): PushSender {
  let opening: Promise<Agent> | undefined;

  // Loaded with the first notification: many gateways never send one.
  async function open(): Promise<Agent> {
    const { Agent } = await import('undici');
    const connect = createGuardedConnector(exempt, createResolver());
    return new Agent({ connect, connections: 20, pipelining: 1, keepAliveTimeout: 4_000 });
  }

  return {
    async post(endpoint, headers, body) {
      try {
        opening ??= open();
        const { origin, pathname, search } = new URL(endpoint);
        const signal = AbortSignal.timeout(timeoutMs);
        const request = { origin, path: pathname + search, method: 'POST' as const, headers, body, signal };
        const answer = await (await opening).request(request);
        // Nothing that it says is read: the caller who named the address would learn of it.
        answer.body.on('error', () => undefined).destroy();
        const retryAfterSeconds = Number(answer.headers['retry-after']) || 0;
        return { status: answer.statusCode, retryAfterSeconds };
      } catch {
        return { status: null, retryAfterSeconds: 0 };
      }
    },
    close: async () => void (await (await opening)?.destroy()),
  };
}
