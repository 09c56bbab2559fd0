import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Connections of one address. A browser opens 6, a client library's pool some tens. */
export const connectionsPerAddressMax = 100;

/**
 * Ends new connections of an address that has as many as it may: there is nothing to answer
 * before a request was read.
 * @param nameOf the name that an address counts under; null: it is not counted
 */
export function limitConnections(
  server: Pick<Server, 'on'>,
  nameOf: (address: string) => string | null,
): void {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket.remoteAddress ?? '');
    if (name === null) return;
    const count = open.get(name) ?? 0;
    if (count >= connectionsPerAddressMax) {
      socket.destroy();
      return;
    }
    open.set(name, count + 1);
    socket.once('close', () => {
      const left = (open.get(name) ?? 1) - 1;
      if (left > 0) open.set(name, left);
      else open.delete(name);
    });
  });
}
