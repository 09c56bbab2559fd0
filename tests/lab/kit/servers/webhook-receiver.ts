/** A customer endpoint that keeps each request byte for byte. */
import { createServer } from 'node:http';

export type Received = { headers: Record<string, string>; body: string };

export type WebhookReceiver = { url: string; target: string; received: Received[]; close(): Promise<void> };

/** @param onPort default: one that is free */
export async function startWebhookReceiver(onPort = 0): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', chunk => {
      body += chunk;
    });
    request.on('end', () => {
      received.push({ headers: request.headers as Record<string, string>, body });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>(resolve => server.listen(onPort, '127.0.0.1', () => resolve()));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    target: `127.0.0.1:${port}`,
    received,
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
