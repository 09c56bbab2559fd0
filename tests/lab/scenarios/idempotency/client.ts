/** A client that sends to one of several gateways and times the answer. */
import { Pool } from 'undici';

export type Request = { token: string; key: string; body: unknown; path?: string };
export type Answer = {
  status: number;
  text: string;
  isReplay: boolean;
  retryAfter: string | null;
  ms: number;
};

export type Gateways = {
  /** @param index of the gateway, taken modulo their number */
  post(index: number, request: Request): Promise<Answer>;
  close(): Promise<void>;
};

const waitMaxMs = 20_000;

export function openGateways(urls: readonly string[], connectionsEach: number): Gateways {
  const pools = urls.map(
    url => new Pool(url, { connections: connectionsEach, headersTimeout: waitMaxMs, bodyTimeout: waitMaxMs }),
  );
  return {
    async post(index, { token, key, body, path = '/api/v1/content' }) {
      const beganMs = performance.now();
      const answer = await (pools[index % pools.length] as Pool).request({
        method: 'POST',
        path,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify(body),
      });
      const text = await answer.body.text();
      const retryAfter = answer.headers['retry-after'];
      return {
        status: answer.statusCode,
        text,
        isReplay: answer.headers['idempotent-replayed'] === 'true',
        retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
        ms: performance.now() - beganMs,
      };
    },
    close: () => Promise.all(pools.map(pool => pool.close())).then(() => {}),
  };
}

export const idOf = (answer: Answer): string => (JSON.parse(answer.text) as { data: { id: string } }).data.id;
export const codeOf = (answer: Answer): string =>
  (JSON.parse(answer.text) as { error?: { code: string } }).error?.code ?? '';
