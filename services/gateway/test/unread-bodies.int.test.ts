/** What clients that never finish a body may hold of the gateway's memory, and what their hanging up looks like. */
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createLogger } from '@hookline/shared/kernel';
import { eventually } from '@hookline/testing/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unreadMax } from '../src/gate/unread-bodies.ts';
import { randomIp, startTestGateway, type TestGateway } from './world.ts';

const lines: string[] = [];
let gateway: TestGateway;
const sockets: Socket[] = [];

beforeAll(async () => {
  gateway = await startTestGateway(
    {},
    { log: createLogger({ service: 'test', destination: { write: line => lines.push(line) } }) },
  );
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await gateway?.stop();
});

const bodyBytes = 256 * 1024;

/** A body that stops before its end, from this address. */
function sendPart(ip: string, bytes: number): { isClosed: boolean; socket: Socket } {
  const { hostname, port } = new URL(gateway.url);
  const part = { isClosed: false, socket: connect(Number(port), hostname) };
  sockets.push(part.socket);
  part.socket.on('error', () => {});
  part.socket.on('close', () => {
    part.isClosed = true;
  });
  part.socket.resume();
  part.socket.write(
    `POST /api/v1/auth/sign-in HTTP/1.1\r\nhost: a\r\nx-forwarded-for: ${ip}\r\n` +
      `content-type: application/json\r\ncontent-length: ${bodyBytes}\r\n\r\n`,
  );
  part.socket.write(Buffer.alloc(bytes, 0x20));
  return part;
}

describe('bodies that do not end', () => {
  it('hold at most 2 MB of an address, and nothing of others', async () => {
    const [greedy, other] = [randomIp(), randomIp()];
    const partBytes = bodyBytes - 1;
    const parts = Array.from({ length: 24 }, () => sendPart(greedy, partBytes));
    const open = () => parts.filter(({ isClosed }) => !isClosed);
    await eventually(() => expect(open().length * partBytes).toBeLessThanOrEqual(unreadMax), 10_000);
    expect(open().length).toBeGreaterThan(0);
    const ask = (ip: string) =>
      gateway.call('POST', '/api/v1/auth/sign-in', {
        body: { email: 'a@example.com', password: 'wrong password' },
        ip,
      });
    expect((await ask(other)).status).toBe(401);
    for (const { socket } of parts) socket.destroy();
    await eventually(async () => expect((await ask(greedy)).status).toBe(401));
  });

  it('of an address at its limit are refused with 429 before they are read', async () => {
    const ip = randomIp();
    const parts = Array.from({ length: 8 }, () => sendPart(ip, bodyBytes - 1_024));
    await eventually(async () => {
      // Up to the limit in the smallest steps.
      sendPart(ip, 1);
      const answer = await gateway.call('POST', '/api/v1/auth/sign-in', { rawBody: 'x', ip });
      expect([answer.status, answer.body.error.code]).toEqual([429, 'rate_limited']);
      expect(answer.headers.get('connection')).toBe('close');
    }, 10_000);
    expect(parts.map(({ isClosed }) => isClosed)).toEqual(parts.map(() => false));
    expect((await gateway.call('GET', '/api/v1/openapi.json', { ip })).status).toBe(200);
  });

  it('sent byte by byte count what they take', async () => {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    let isClosed = false;
    socket.on('error', () => {});
    socket.on('close', () => {
      isClosed = true;
    });
    socket.resume();
    socket.write(
      `POST /api/v1/auth/sign-in HTTP/1.1\r\nhost: a\r\nx-forwarded-for: ${randomIp()}\r\n` +
        'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
    );
    // 5,000 bytes of body in as many chunks: 2.5 MB as they are counted.
    socket.write('1\r\n \r\n'.repeat(5_000));
    await eventually(() => expect(isClosed).toBe(true));
  });

  it('whose client hangs up are no fault of the database', async () => {
    lines.length = 0;
    const part = sendPart(randomIp(), 1_000);
    await delay(100);
    part.socket.resetAndDestroy();
    // Nothing tells that the gateway noticed: an error is logged within milliseconds.
    await delay(300);
    expect(lines.filter(line => line.includes('"error"') || line.includes('db_error'))).toEqual([]);
  });
});
