/** Customer endpoints: one server and port each, which records id and time and answers at once. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type BenchEndpoint = {
  port: number;
  isHanging: boolean;
  /** `webhook-id` and nanoseconds of the machine's monotonic clock. */
  ids: string[];
  arrivedNs: bigint[];
};

export type BenchReceivers = {
  endpoints: BenchEndpoint[];
  /** Answers the hanging requests and all later ones. */
  release(endpoint: BenchEndpoint): void;
  forget(): void;
  close(): Promise<void>;
};

export async function startBenchReceivers(count: number): Promise<BenchReceivers> {
  const servers: Server[] = [];
  const endpoints: BenchEndpoint[] = [];
  const waiting = new Map<BenchEndpoint, ServerResponse[]>();
  for (let index = 0; index < count; index += 1) {
    const endpoint: BenchEndpoint = { port: 0, isHanging: false, ids: [], arrivedNs: [] };
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        if (endpoint.isHanging) {
          waiting.set(endpoint, [...(waiting.get(endpoint) ?? []), response]);
          return;
        }
        endpoint.ids.push(request.headers['webhook-id'] as string);
        endpoint.arrivedNs.push(process.hrtime.bigint());
        response.writeHead(204).end();
      });
    });
    server.keepAliveTimeout = 60_000;
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    endpoint.port = (server.address() as AddressInfo).port;
    servers.push(server);
    endpoints.push(endpoint);
  }
  return {
    endpoints,
    release(endpoint) {
      endpoint.isHanging = false;
      // Hanging requests get an error so that they are retried: they were not recorded.
      for (const response of waiting.get(endpoint) ?? []) response.writeHead(503).end();
      waiting.delete(endpoint);
    },
    forget() {
      for (const endpoint of endpoints) {
        endpoint.ids.length = 0;
        endpoint.arrivedNs.length = 0;
      }
    },
    async close() {
      for (const server of servers) server.closeAllConnections();
      await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))));
    },
  };
}
