import { createServer } from 'node:net';

/** A port on 127.0.0.1 that was free a moment ago. Binding it can still fail. */
export function freePort(): Promise<number> {
  return listenOnce(0);
}

/** True when the port on 127.0.0.1 can be bound now. */
export async function isPortFree(port: number): Promise<boolean> {
  try {
    await listenOnce(port);
    return true;
  } catch {
    return false;
  }
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      const bound = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => resolve(bound));
    });
  });
}
