/** Fifty customer endpoints, each a server with its own port, that record what reaches them. */
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
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
  /** The reference library's verdict with each secret that a receiver may hold at that moment. */
  isGenuine: boolean;
  /** Both secrets of a rotation were tried and each was enough. */
  isOfRotation: boolean;
  /** True: answered 2xx. False: refused, dropped or left hanging on purpose. */
  isTaken: boolean;
};

export type Mode = 'quick' | 'refusing' | 'dropping' | 'slow' | 'hanging';

export type Endpoint = {
  endpoint: number;
  account: number;
  port: number;
  mode: Mode;
  webhookId: string;
  /** Secrets that a receiver may hold at this moment: each alone must be enough. */
  secrets: string[];
};

/** A request left unanswered on purpose. `closedAt`: when the sender closed its side. */
export type Hanging = {
  endpoint: number;
  id: string;
  at: number;
  closedAt: number | null;
  againAt: number | null;
  /** Answers it belatedly, with a failure. */
  release(): void;
};

export type Receivers = {
  endpoints: Endpoint[];
  hanging: Hanging[];
  /** Taken deliveries so far. */
  taken(): number;
  close(): Promise<void>;
};

const slowMs = 2_000;

/** @param answerWithinMs the longest time that a working endpoint takes to answer; 0: none waits */
export async function startReceivers(
  accounts: number,
  perAccount: number,
  recorder: Recorder<Arrival>,
  answerWithinMs = 20,
): Promise<Receivers> {
  const endpoints: Endpoint[] = [];
  const hanging: Hanging[] = [];
  const servers: Server[] = [];
  let taken = 0;

  function receive(to: Endpoint, request: IncomingMessage, response: ServerResponse, body: string): void {
    const { mode } = to;
    const line = judge(to, request, body, mode === 'quick');
    recorder.write(line);
    const again = hanging.find(one => one.id === line.id && one.endpoint === to.endpoint && one.closedAt);
    if (again && again.againAt === null) again.againAt = Date.now();
    if (mode === 'quick') {
      taken += 1;
      // Receivers differ: some answer at once, some after a database query.
      const answer = (): void => void response.writeHead(204).end();
      if (answerWithinMs === 0) answer();
      else setTimeout(answer, Math.random() * answerWithinMs);
    } else if (mode === 'refusing') response.writeHead(500).end();
    else if (mode === 'dropping') request.socket.destroy();
    else if (mode === 'slow') setTimeout(() => response.writeHead(503).end(), slowMs);
    else {
      const one: Hanging = {
        endpoint: to.endpoint,
        id: line.id,
        at: Date.now(),
        closedAt: null,
        againAt: null,
        release: () => void response.writeHead(503).end(),
      };
      hanging.push(one);
      request.socket.once('close', () => {
        one.closedAt = Date.now();
      });
    }
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
      ...{ endpoint, account: endpoint % accounts, port, mode: 'quick', webhookId: '', secrets: [] },
    };
    endpoints.push(to);
    servers.push(server);
  }
  return {
    endpoints,
    hanging,
    taken: () => taken,
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
    isGenuine: to.secrets.every(secret => isGenuine(secret, headers, body)),
    isOfRotation: to.secrets.length > 1,
    isTaken,
  };
}

/**
 * Verifies as a receiver with this secret alone: with the reference library, and the header by the spec's own
 * sentence.
 */
function isGenuine(secret: string, headers: Record<string, string>, body: string): boolean {
  try {
    new Webhook(secret).verify(body, headers);
  } catch {
    return false;
  }
  const own = createHmac('sha256', secret).update(body).digest('hex');
  return [headers['x-service-signature'], headers['x-service-signature-previous']].includes(own);
}
