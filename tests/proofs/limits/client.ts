/** Asks the gateways over kept connections and tells the recorder; one client for the whole run. */
import { randomInt } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import type { WindowName } from '../support/check-windows.ts';
import type { Asked, Recorder } from './history.ts';

export type Answer = {
  status: number;
  retryAfter: string | null;
  text: string;
  sentMs: number;
  doneMs: number;
};

export type Question = {
  method?: 'GET' | 'POST' | 'DELETE';
  path: string;
  token?: string | undefined;
  ip: string;
  body?: unknown;
  headers?: Record<string, string>;
};

/** What is asked of which gateway, and what the history shall say of it. */
export type Told = {
  part: string;
  gateway: number;
  windows: WindowName[];
  after?: NonNullable<Asked['after']>;
};

export type Client = {
  readonly gateways: number;
  send(gateway: number, question: Question): Promise<Answer>;
  /** As `send`, and writes the history. */
  ask(question: Question, told: Told): Promise<Asked>;
  close(): void;
};

const answerWithinMs = 20_000;

export function createClient(urls: readonly string[], recorder: Recorder): Client {
  const agents = urls.map(() => new Agent({ keepAlive: true, maxSockets: 400 }));

  const send: Client['send'] = (gateway, { method = 'GET', path, token, ip, body, headers }) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const sentMs = performance.now();
      const outgoing = httpRequest(`${urls[gateway]}${path}`, {
        method,
        agent: agents[gateway],
        timeout: answerWithinMs,
        headers: {
          'x-forwarded-for': ip,
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(text === undefined ? {} : { 'content-type': 'application/json' }),
          ...(text === undefined ? {} : { 'content-length': Buffer.byteLength(text) }),
          ...headers,
        },
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in time')));
      outgoing.on('error', reject);
      outgoing.on('response', incoming => {
        let received = '';
        incoming.setEncoding('utf8');
        incoming.on('error', reject);
        incoming.on('data', chunk => {
          received += chunk;
        });
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            retryAfter: incoming.headers['retry-after'] ?? null,
            text: received,
            sentMs,
            doneMs: performance.now(),
          }),
        );
      });
      outgoing.end(text);
    });
  };

  return {
    gateways: urls.length,
    send,
    async ask(question, told) {
      const sentMs = performance.now();
      const lost = (): Answer => ({
        status: 0,
        retryAfter: null,
        text: '',
        sentMs,
        doneMs: performance.now(),
      });
      const answer = await send(told.gateway, question).catch(lost);
      const seq = recorder.nextSeq();
      const asked: Asked = { kind: 'asked', seq, after: null, ...told, ...refusalOf(answer) };
      recorder.write(asked);
      return asked;
    },
    close() {
      for (const agent of agents) agent.destroy();
    },
  };
}

function refusalOf({ status, retryAfter, text, sentMs, doneMs }: Answer) {
  const error =
    status >= 400 ? (JSON.parse(text) as { error: { code: string; message: string } }).error : null;
  return { status, retryAfter, sentMs, doneMs, code: error?.code ?? null, message: error?.message ?? null };
}

/** An address of its own, so that only the other windows of a request count. */
export function anyIp(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

/** A user: the session's token and the keys it minted. */
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
