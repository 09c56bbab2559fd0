/** Calls gateways over kept-alive connections, and times the answers. */
import { randomInt } from 'node:crypto';
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';

export type Answer = {
  status: number;
  headers: IncomingHttpHeaders;
  retryAfter: string | null;
  text: string;
  sentMs: number;
  doneMs: number;
};

export type Question = {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  token?: string | undefined;
  /** The address that the request seems to come from. Default: this machine's. */
  ip?: string;
  body?: unknown;
  headers?: Record<string, string>;
};

export type HttpClient = {
  readonly gateways: number;
  /** Times are of the monotonic clock. @throws Error when no answer arrives within 20 s */
  send(gateway: number, question: Question): Promise<Answer>;
  close(): void;
};

const answerWithinMs = 20_000;
// Below the 2 s that the gateway announces: a request on a socket that the other end
// just closed has no answer.
const idleSocketMs = 1_000;

/** @param connectionsMax per gateway; an open loop needs one for each waiting request */
export function createHttpClient(urls: readonly string[], connectionsMax = 400): HttpClient {
  const agents = urls.map(
    () => new Agent({ keepAlive: true, maxSockets: connectionsMax, timeout: idleSocketMs }),
  );

  const send: HttpClient['send'] = (gateway, { method = 'GET', path, token, ip, body, headers }) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const sentMs = performance.now();
      const outgoing = httpRequest(`${urls[gateway]}${path}`, {
        method,
        agent: agents[gateway],
        headers: {
          ...(ip === undefined ? {} : { 'x-forwarded-for': ip }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(text === undefined ? {} : { 'content-type': 'application/json' }),
          ...(text === undefined ? {} : { 'content-length': Buffer.byteLength(text) }),
          ...headers,
        },
      });
      const tooLate = setTimeout(() => outgoing.destroy(new Error('no answer in time')), answerWithinMs);
      const fail = (error: Error): void => {
        clearTimeout(tooLate);
        reject(error);
      };
      outgoing.on('error', fail);
      outgoing.on('response', incoming => {
        let received = '';
        incoming.setEncoding('utf8');
        incoming.on('error', fail);
        incoming.on('data', chunk => {
          received += chunk;
        });
        incoming.on('end', () => {
          clearTimeout(tooLate);
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            retryAfter: incoming.headers['retry-after'] ?? null,
            text: received,
            sentMs,
            doneMs: performance.now(),
          });
        });
      });
      outgoing.end(text);
    });
  };

  return {
    gateways: urls.length,
    send,
    close() {
      for (const agent of agents) agent.destroy();
    },
  };
}

/** A separate address, so that only the request's other windows count. */
export function anyIp(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
}
