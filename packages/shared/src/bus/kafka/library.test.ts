import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { releaseDestroyedSockets } from './library.ts';

type Connection = { socket?: Socket; disconnect(): Promise<boolean> };

const require = createRequire(import.meta.url);
const Connection: new (options: object) => Connection = require('kafkajs/src/network/connection.js');
const silent = { debug() {}, info() {}, warn() {}, error() {}, namespace: () => silent };

/** @returns the `connect` listeners of a destroyed socket after 8 disconnects. */
async function listenersAfterDisconnects(): Promise<number> {
  const connection = new Connection({ host: '127.0.0.1', port: 1, logger: silent });
  const socket = new Socket();
  socket.destroy();
  connection.socket = socket;
  for (let count = 0; count < 8; count += 1) await connection.disconnect();
  return socket.listenerCount('connect');
}

it('a destroyed socket collects no listeners, however often kafkajs disconnects', async () => {
  // Shows that the defect is still there: without it the patch can go.
  expect(await listenersAfterDisconnects()).toBe(8);
  releaseDestroyedSockets();
  expect(await listenersAfterDisconnects()).toBe(0);
});
