import { connect, type Socket } from 'node:net';
import { perSuite } from '@hookline/testing/per-suite';
import { beforeAll, describe, expect, it } from 'vitest';
import { startOwner, startTestGateway } from './world.ts';

const content = perSuite(() =>
  startOwner('content', app => {
    // More than the buffers of both sides hold, so that the server notices a reader that stops.
    app.get('/media/images/:id', { config: { open: true } }, async (_request, reply) =>
      reply.headers({ 'content-type': 'image/jpeg' }).send(Buffer.alloc(30_000_000)),
    );
  }),
);
const gateway = perSuite(() => startTestGateway({ content: content.url }, { patience }));
let key: string;

const patience = { headersMs: 400, requestMs: 900, silenceMs: 1_000, checkEveryMs: 100, connectionsMax: 60 };

beforeAll(async () => {
  key = (await gateway.mint((await gateway.signUp()).token)).key;
});

type Ended = { text: string; tookMs: number };

/** Writes the pieces, one every 50 ms, and never closes its side: only the server can end the connection. */
async function send(...pieces: string[]): Promise<Ended> {
  const beganMs = performance.now();
  return await new Promise((resolve, reject) => {
    const { hostname, port } = new URL(gateway.url);
    const socket: Socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    let text = '';
    let writing: NodeJS.Timeout | undefined;
    const late = setTimeout(() => {
      socket.destroy();
      reject(new Error(`the server kept the connection; it answered ${JSON.stringify(text)}`));
    }, 10_000);
    const write = (): void => {
      const piece = pieces.shift();
      if (piece !== undefined && socket.writable) socket.write(piece, 'latin1');
      if (pieces.length > 0) writing = setTimeout(write, 50);
    };
    const finish = (): void => {
      clearTimeout(late);
      clearTimeout(writing);
      socket.destroy();
      resolve({ text, tookMs: performance.now() - beganMs });
    };
    socket.on('connect', write);
    socket.on('data', chunk => {
      text += chunk.toString('latin1');
    });
    socket.on('end', finish);
    socket.on('error', finish);
  });
}

function statusesOf(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(match => Number(match[1]));
}

function expectOneRefusal({ text }: Ended, status: number): void {
  expect([text, statusesOf(text)]).toEqual([text, [status]]);
  expect(text.toLowerCase()).toContain('\r\nconnection: close\r\n');
  const body = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as {
    error: { code: string; requestId: string };
  };
  expect(body.error.code).toBe('invalid_request');
  expect(text).toContain(body.error.requestId);
}

/**
 * The request that an attacker would hide behind the first one; the server must never see it as a separate
 * request.
 */
const smuggled = () =>
  `GET /api/v1/apps/smuggled HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
const head = (...lines: string[]) =>
  `POST /api/v1/apps HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${lines.join('\r\n')}\r\n\r\n`;

describe('a request whose end is not certain is refused, and the connection with it', () => {
  const cases: [string, () => string][] = [
    [
      'Content-Length and Transfer-Encoding',
      () => `${head('Content-Length: 6', 'Transfer-Encoding: chunked')}0\r\n\r\n${smuggled()}`,
    ],
    [
      'Transfer-Encoding and Content-Length',
      () => `${head('Transfer-Encoding: chunked', 'Content-Length: 6')}0\r\n\r\n${smuggled()}`,
    ],
    ['two lengths', () => `${head('Content-Length: 0', 'Content-Length: 60')}${smuggled()}`],
    ['twice the same length', () => `${head('Content-Length: 0', 'Content-Length: 0')}${smuggled()}`],
    ['a list of lengths', () => `${head('Content-Length: 0, 0')}${smuggled()}`],
    ['a signed length', () => `${head('Content-Length: +0')}${smuggled()}`],
    ['a negative length', () => `${head('Content-Length: -1')}${smuggled()}`],
    ['a length in hex', () => `${head('Content-Length: 0x0')}${smuggled()}`],
    [
      'chunked that is not the last coding',
      () => `${head('Transfer-Encoding: chunked, identity')}${smuggled()}`,
    ],
    ['an unknown coding', () => `${head('Transfer-Encoding: xchunked')}${smuggled()}`],
    [
      'a second Transfer-Encoding',
      () => `${head('Transfer-Encoding: chunked', 'Transfer-Encoding: x')}${smuggled()}`,
    ],
    ['a blank before the colon', () => `${head('Content-Length : 0')}${smuggled()}`],
    ['a folded header', () => `${head('X-Long: a', ' Content-Length: 5')}${smuggled()}`],
    ['a folded header with a tab', () => `${head('Transfer-Encoding:', '\tchunked')}0\r\n\r\n${smuggled()}`],
    ['a header that ends with a bare LF', () => `${head('X-A: b\nContent-Length: 5')}${smuggled()}`],
    [
      'a request line that ends with a bare LF',
      () => `GET /api/v1/apps HTTP/1.1\nHost: x\r\n\r\n${smuggled()}`,
    ],
    ['a head that ends with a bare LF', () => `GET /api/v1/apps HTTP/1.1\r\nHost: x\r\n\n${smuggled()}`],
    ['a bare CR in a header', () => `${head('X-A: b\rContent-Length: 5')}${smuggled()}`],
    ['a zero byte in a header', () => `${head('X-A: b\0')}${smuggled()}`],
    [
      'a bad chunk size',
      () => `${head('Transfer-Encoding: chunked', 'Content-Type: application/json')}zz\r\n${smuggled()}`,
    ],
    [
      'a chunk size that overflows',
      () => `${head('Transfer-Encoding: chunked')}fffffffffffffffff\r\n${smuggled()}`,
    ],
    [
      'a chunk that ends with a bare LF',
      () => `${head('Transfer-Encoding: chunked')}1\r\na\n0\r\n\r\n${smuggled()}`,
    ],
    ['a version that is not spoken', () => `GET /api/v1/apps HTTP/1.2\r\nHost: x\r\n\r\n${smuggled()}`],
  ];
  it.each(cases)('%s', async (_name, text) => {
    const before = content.seen.length;
    expectOneRefusal(await send(text()), 400);
    expect(content.seen.slice(before).map(seen => seen.url)).toEqual([]);
  });

  it('a second Host is refused too', async () => {
    expectOneRefusal(await send(`GET /api/v1/apps HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n${smuggled()}`), 400);
  });

  it.each(['x y', 'x/y', 'x?y', 'x,y', '"x"'])('a Host that is no host is refused too: %s', async host => {
    expectOneRefusal(await send(`GET /api/v1/apps HTTP/1.1\r\nHost: ${host}\r\n\r\n${smuggled()}`), 400);
  });

  it('two honest requests on one connection are both answered, so the refusals mean something', async () => {
    const honest = smuggled().replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    const { text } = await send(`${smuggled()}${honest}`);
    expect(statusesOf(text)).toEqual([200, 200]);
  });
});

describe('too much of it', () => {
  it.each([
    ['one header of 20 KB', `X-Big: ${'x'.repeat(20_000)}\r\n`],
    ['a flood of short headers', 'x: y\r\n'.repeat(10_000)],
    ['a path of 20 KB', ''],
  ])('%s is 431 and ends the connection', async (name, more) => {
    const path = name.startsWith('a path') ? `/api/v1/apps/${'x'.repeat(20_000)}` : '/api/v1/apps';
    expectOneRefusal(await send(`GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`), 431);
  });
});

describe('slow clients', () => {
  const bounds = { lower: patience.headersMs, upper: patience.requestMs + 2_000 };

  it('headers that drip in are given up with 408 after their time, not when they are all there', async () => {
    const drip = Array.from({ length: 200 }, (_, index) => `X-${index}: a\r\n`);
    const ended = await send('GET /api/v1/apps HTTP/1.1\r\nHost: x\r\n', ...drip);
    expectOneRefusal(ended, 408);
    expect(ended.tookMs).toBeGreaterThan(bounds.lower);
    expect(ended.tookMs).toBeLessThan(bounds.upper);
  });

  it('a body that drips in is given up with 408', async () => {
    const drip = Array.from({ length: 200 }, () => ' ');
    const ended = await send(head('Content-Type: application/json', 'Content-Length: 200'), ...drip);
    expectOneRefusal(ended, 408);
    expect(ended.tookMs).toBeLessThan(bounds.upper);
    expect(content.seen.at(-1)?.method).not.toBe('POST');
  });

  it('a connection on which nothing ever comes is closed', async () => {
    const { tookMs } = await send('');
    expect(tookMs).toBeLessThan(patience.silenceMs + 2_000);
  });

  it('a reader that stops reading is given up', async () => {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    const closed = new Promise<number>(resolve => {
      // Reads again only after the timeout (the first check of a full buffer only records it): what remains
      // is the end.
      setTimeout(() => socket.resume(), patience.silenceMs * 3.5);
      let bytes = 0;
      socket.on('data', chunk => {
        bytes += chunk.length;
        if (bytes < 100_000) socket.pause();
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(bytes));
    });
    socket.write('GET /media/images/x HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await closed).toBeLessThan(30_000_000);
  });

  it('connections over the bound are dropped, and those within it are served', async () => {
    const { hostname, port } = new URL(gateway.url);
    const sockets = Array.from({ length: 100 }, () => connect(Number(port), hostname));
    const dropped = await Promise.all(
      sockets.map(
        socket =>
          new Promise<boolean>(resolve => {
            socket.on('error', () => resolve(true));
            socket.on('close', () => resolve(true));
            socket.on('data', () => resolve(false));
            socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
          }),
      ),
    );
    for (const socket of sockets) socket.destroy();
    const served = dropped.filter(isDropped => !isDropped).length;
    expect(served).toBeGreaterThan(30);
    expect(served).toBeLessThanOrEqual(patience.connectionsMax);
  });
});
