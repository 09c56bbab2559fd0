/** Calls the gateways and records the answers; one client for the whole run. */
import { randomInt } from 'node:crypto';
import type { WindowName } from '../../kit/checks/check-windows.ts';
import {
  type Answer,
  anyIp,
  createHttpClient,
  type HttpClient,
  type Question,
} from '../../kit/clients/http-client.ts';
import type { Asked, Recorder } from './history.ts';

/** The request, its gateway, and its labels in the history. */
export type Told = {
  part: string;
  gateway: number;
  windows: WindowName[];
  after?: NonNullable<Asked['after']>;
};

export type Client = HttpClient & {
  /** Like `send`, and writes the history. */
  ask(question: Question, told: Told): Promise<Asked>;
};

export function createClient(urls: readonly string[], recorder: Recorder): Client {
  const http = createHttpClient(urls);
  return {
    ...http,
    async ask(question, told) {
      const sentMs = performance.now();
      const lost = (): Answer => ({
        status: 0,
        headers: {},
        retryAfter: null,
        text: '',
        sentMs,
        doneMs: performance.now(),
      });
      const answer = await http.send(told.gateway, question).catch(lost);
      const seq = recorder.nextSeq();
      const asked: Asked = { kind: 'asked', seq, after: null, ...told, ...refusalOf(answer) };
      recorder.write(asked);
      return asked;
    },
  };
}

function refusalOf({ status, retryAfter, text, sentMs, doneMs }: Answer) {
  const error =
    status >= 400 ? (JSON.parse(text) as { error: { code: string; message: string } }).error : null;
  return { status, retryAfter, sentMs, doneMs, code: error?.code ?? null, message: error?.message ?? null };
}

/** A user: the session's token and its keys. */
export type User = {
  token: string;
  mint(gateway?: number): Promise<{ id: string; key: string }>;
};

/** Signs up through the first gateway. */
export async function signUp(client: Client, scopes: readonly string[]): Promise<User> {
  const call = async <T>(gateway: number, path: string, body: unknown, token?: string): Promise<T> => {
    const answer = await client.send(gateway, { method: 'POST', path, body, ip: anyIp(), token });
    if (answer.status !== 201) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return (JSON.parse(answer.text) as { data: T }).data;
  };
  const email = `limits-${randomInt(2 ** 40)}@example.com`;
  const signedUp = await call<{ session: { token: string } }>(0, '/api/v1/auth/sign-up', {
    email,
    password: 'a long enough password',
  });
  const { token } = signedUp.session;
  return {
    token,
    mint: (gateway = 0) => call(gateway, '/api/v1/keys', { name: 'limits', scopes }, token),
  };
}
