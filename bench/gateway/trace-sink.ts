import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type TraceSink = {
  url: string;
  /** Batches of spans received so far. */
  batches(): number;
  stop(): Promise<void>;
};

/** A collector that accepts every batch and stores none. */
export async function startTraceSink(): Promise<TraceSink> {
  let batches = 0;
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      batches += 1;
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    batches: () => batches,
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
