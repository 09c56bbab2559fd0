import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createExceptions } from '../limits/client-address.ts';
import { connectionsPerAddressMax, limitConnections } from './connections.ts';

it('ends the 101st connection of an address, and takes another once one has ended', async () => {
  const server = createServer((_request, response) => response.end());
  limitConnections(server, address => address);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const opened: Socket[] = [];
  /** Connects and asks. @returns true when it is answered, false when the connection ends */
  const isServed = async (localAddress = '127.0.0.1'): Promise<boolean> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    opened.push(socket);
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    return await new Promise(resolve => {
      socket.once('data', () => resolve(true));
      socket.once('error', () => resolve(false));
      socket.once('close', () => resolve(false));
    });
  };
  try {
    for (let count = 0; count < connectionsPerAddressMax; count += 1) expect(await isServed()).toBe(true);
    expect([await isServed(), await isServed('127.0.0.2')]).toEqual([false, true]);
    opened[0]?.destroy();
    await expect.poll(() => isServed()).toBe(true);
  } finally {
    for (const socket of opened) socket.destroy();
    server.close();
  }
});

it.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['10.1.2.3', true],
  ['::ffff:10.1.2.3', true],
  ['203.0.113.9', false],
  ['2001:db8::1', false],
  ['unknown', false],
])('%s behind a proxy of 10.0.0.0/8 is excepted: %s', (address, isExcepted) => {
  expect(createExceptions(['10.0.0.0/8'])(address)).toBe(isExcepted);
});
