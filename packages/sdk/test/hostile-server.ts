/** An HTTP server that answers from a script, one entry for each request, and records what it got. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer = { status?: number; headers?: Record<string, string>; body?: unknown };
/** `cut`: the connection ends without an answer; `stall`: half of an answer, and nothing more. */
export type Scripted = Answer | 'cut' | 'stall';
export type Received = { method: string; path: string; headers: IncomingHttpHeaders; body: string };

export type HostileServer = {
  baseUrl: string;
  received: Received[];
  /** Replaces what is left of the script. The last entry is repeated. */
  script(...answers: Scripted[]): void;
  close(): Promise<void>;
};

export async function startHostileServer(): Promise<HostileServer> {
  let answers: Scripted[] = [];
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    });
    const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? 'cut';
    if (answer === 'cut') {
      request.socket.destroy();
      return;
    }
    if (answer === 'stall') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{ "data": ');
      return;
    }
    const { status = 200, headers = {}, body = {} } = answer;
    const isText = typeof body === 'string';
    response.writeHead(status, {
      'content-type': isText ? 'text/html' : 'application/json',
      'x-request-id': 'req_of_header',
      ...headers,
    });
    response.end(isText ? body : JSON.stringify(body));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    script: (...scripted) => {
      answers = scripted;
      received.length = 0;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise(resolve => server.close(() => resolve()));
    },
  };
}

export function refusal(status: number, code: string, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers,
    body: { error: { code, message: `The message of ${code}.`, requestId: 'req_of_body', param: 'limit' } },
  };
}
