/** Writes under an idempotency key, sent to one of several gateways. */
import { type Answer as AnyAnswer, createHttpClient } from '../../kit/clients/http-client.ts';

export type Request = { token: string; key: string; body: unknown; path?: string };
export type Answer = AnyAnswer & { isReplay: boolean; ms: number };

export type Gateways = {
  /** @param index of the gateway, taken modulo their number */
  post(index: number, request: Request): Promise<Answer>;
  close(): void;
};

export function openGateways(urls: readonly string[], connectionsEach: number): Gateways {
  const http = createHttpClient(urls, connectionsEach);
  return {
    async post(index, { token, key, body, path = '/api/v1/content' }) {
      const headers = { 'idempotency-key': key };
      const answer = await http.send(index % urls.length, { method: 'POST', path, token, body, headers });
      const isReplay = answer.headers['idempotent-replayed'] === 'true';
      return { ...answer, isReplay, ms: answer.doneMs - answer.sentMs };
    },
    close: http.close,
  };
}

export const idOf = (answer: Answer): string => (JSON.parse(answer.text) as { data: { id: string } }).data.id;
export const codeOf = (answer: Answer): string =>
  (JSON.parse(answer.text) as { error?: { code: string } }).error?.code ?? '';
