/** Fifty customer endpoints, each a server with its own port, that record what reaches them. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Recorder } from '../run/history.ts';

/** One request at an endpoint, judged where it arrived. */
export type Arrival = {
  kind: 'arrived';
  endpoint: number;
  /** `webhook-id`. */
  id: string;
  /** `job:<id>` or `content:<id>`, from the body. */
  resource: string;
  /** Type of the event, such as `schedule.published`. */
  type: string;
  sequence: number;
  /** SHA-256 (hex) of the raw body. */
  digest: string;
  /** True: answered 2xx. False: refused or dropped on purpose. */
  isTaken: boolean;
};

export type Mode = 'quick' | 'refusing' | 'dropping' | 'slow';

export type Endpoint = {
  endpoint: number;
  account: number;
  port: number;
  mode: Mode;
  webhookId: string;
};

export type Receivers = {
  endpoints: Endpoint[];
  close(): Promise<void>;
};

const slowMs = 2_000;

export async function startReceivers(
  accounts: number,
  perAccount: number,
  recorder: Recorder<Arrival>,
): Promise<Receivers> {
  const endpoints: Endpoint[] = [];
  const servers: Server[] = [];

  function receive(to: Endpoint, request: IncomingMessage, response: ServerResponse, body: string): void {
    const { mode } = to;
    recorder.write(judge(to, request, body, mode === 'quick'));
    if (mode === 'quick') response.writeHead(204).end();
    else if (mode === 'refusing') response.writeHead(500).end();
    else if (mode === 'dropping') request.socket.destroy();
    else setTimeout(() => response.writeHead(503).end(), slowMs);
  }

  for (let endpoint = 0; endpoint < accounts * perAccount; endpoint += 1) {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', chunk => chunks.push(chunk));
      request.on('end', () => receive(to, request, response, Buffer.concat(chunks).toString('utf8')));
      // The sender was killed in the middle, which is the purpose of the run.
      request.on('error', () => {});
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const to: Endpoint = {
      ...{ endpoint, account: endpoint % accounts, port, mode: 'quick', webhookId: '' },
    };
    endpoints.push(to);
    servers.push(server);
  }
  return {
    endpoints,
    async close() {
      for (const server of servers) server.closeAllConnections();
      await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))));
    },
  };
}

function judge(to: Endpoint, request: IncomingMessage, body: string, isTaken: boolean) {
  const headers = request.headers as Record<string, string>;
  const { type, sequence, data } = JSON.parse(body) as {
    type: string;
    sequence: number;
    data: { id: string };
  };
  return {
    kind: 'arrived' as const,
    endpoint: to.endpoint,
    id: headers['webhook-id'] ?? '',
    resource: `${type.split('.')[0]}:${data.id}`,
    type,
    sequence,
    digest: createHash('sha256').update(body).digest('hex'),
    isTaken,
  };
}
