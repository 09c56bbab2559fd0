/**
 * What clients that never finish a body may hold of the gateway's memory, and what
 * their hanging up looks like.
 */
import { execFile } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createLogger } from '@hookline/shared/kernel';
import { eventually } from '@hookline/testing/eventually';
import { fileForm } from '@hookline/testing/tiny-png';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unreadMax, uploadsMax } from '../src/edge/gate/unread-bodies.ts';
import { randomIp, startOwner, startTestGateway, type TestGateway, type TestOwner } from './world.ts';

const lines: string[] = [];
let gateway: TestGateway;
let content: TestOwner;
const sockets: Socket[] = [];

beforeAll(async () => {
  // An owner that reads uploads as they come.
  content = await startOwner('content', app => {
    app.addContentTypeParser(
      'multipart/form-data',
      { parseAs: 'buffer', bodyLimit: 20_000_000 },
      (_, bytes, done) => done(null, bytes),
    );
  });
  gateway = await startTestGateway(
    { content: content.url },
    {
      env: { LIMIT_PER_KEY: '100000' },
      log: createLogger({ service: 'test', destination: { write: line => lines.push(line) } }),
    },
  );
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await gateway?.stop();
  await content?.close();
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

describe('bodies that are too large', () => {
  // In a process of its own: in this one a client and the gateway take turns.
  const client = `
    const [url, key] = process.argv.slice(1);
    const bytes = Buffer.alloc(11 * 1024 * 1024, 0x20);
    const form = new FormData();
    form.append('file', new Blob([bytes]), 'large.png');
    const answers = [];
    for (const [path, body, type] of [
      ['/apps/product_1/pictures', form],
      ['/apps', bytes, 'application/json'],
    ]) {
      for (let n = 0; n < 5; n += 1) {
        const headers = { authorization: 'Bearer ' + key, ...(type && { 'content-type': type }) };
        const answer = await fetch(url + '/api/v1' + path, { method: 'POST', headers, body })
          .then(async it => it.status + ' ' + (await it.json()).error.code, error => String(error.cause));
        answers.push(answer);
      }
    }
    console.log(JSON.stringify(answers));`;

  it('413 reaches a client that writes its body before it reads', async () => {
    const { key } = await gateway.mint((await gateway.signUp()).token);
    const args = ['--input-type=module', '-e', client, gateway.url, key];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(JSON.parse(stdout)).toEqual([
      ...Array(5).fill('413 image_too_large'),
      ...Array(5).fill('413 invalid_request'),
    ]);
  });
});

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

describe('a body that ends after its sender has lost access', () => {
  it.each([
    ['key', '/apps', 'key_revoked'],
    ['session', '/keys', 'unauthorized'],
  ])('is refused: the %s', async (kind, path, code) => {
    const patient = await startTestGateway(
      { content: content.url },
      { database: gateway.database, patience: { recheckMs: 0 } },
    );
    const [{ token: session }, { token: other }] = await Promise.all([patient.signUp(), patient.signUp()]);
    const minted = await patient.mint(session);
    const finish = (token: string) => {
      const body = JSON.stringify({ name: 'x', scopes: ['apps:read'] });
      const { hostname, port } = new URL(patient.url);
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      const answer = new Promise<string>(resolve => socket.once('data', data => resolve(String(data))));
      socket.write(
        `POST /api/v1${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\n` +
          `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, -1)}`,
      );
      return { end: () => socket.write(body.slice(-1)), answer };
    };
    try {
      const kept = kind === 'key' ? (await patient.mint(other)).key : other;
      const begun = [kind === 'key' ? minted.key : session, kept].map(finish);
      // Without it, the headers may be checked after the end of access, which is refused in any case.
      await delay(200);
      const [method, ending] = kind === 'key' ? ['DELETE', `/keys/${minted.id}`] : ['POST', '/auth/sign-out'];
      expect((await patient.call(method, `/api/v1${ending}`, { token: session })).status).toBe(200);
      for (const { end } of begun) end();
      const [refused, passed] = await Promise.all(begun.map(({ answer }) => answer));
      expect(refused).toMatch(new RegExp(`^HTTP/1.1 401 [^]*"${code}"`));
      expect(passed).toMatch(/^HTTP\/1.1 201 /);
    } finally {
      await patient.stop();
    }
  });

  it('is read when a cookie still has its session, also of a consent', async () => {
    const { signUp, call, stop } = await startTestGateway(
      { content: content.url },
      { database: gateway.database, patience: { recheckMs: 0 } },
    );
    const { email, password } = await signUp();
    const own = { 'sec-fetch-site': 'same-origin' };
    const root = '/console/api/v1/auth';
    const { headers } = await call('POST', `${root}/sign-in`, { body: { email, password }, headers: own });
    const cookie = String(headers.get('set-cookie')).split(';')[0]!;
    const { status, text } = await call('POST', `${root}/authorizations`, {
      body: {},
      headers: { ...own, cookie },
    });
    await stop();
    expect(status, text).toBe(400);
  });
});

describe('an upload', () => {
  let token: string;
  beforeAll(async () => {
    token = await newKey();
  });
  const newKey = async () => (await gateway.mint((await gateway.signUp()).token)).key;
  const upload = (bytes: number, ip = randomIp(), key = token) =>
    gateway.call('POST', '/api/v1/apps/product_x/pictures', {
      token: key,
      ip,
      body: fileForm(Buffer.alloc(bytes, 7)),
    });

  it('of 10 MB is forwarded whole; a longer one is refused by its size', async () => {
    expect((await upload(10_000_000)).status).toBe(201);
    const body = content.seen.at(-1)?.body as Buffer;
    expect(body.length).toBeGreaterThan(10_000_000);
    const refused = await upload(10_020_000);
    expect([refused.status, refused.body.error.code]).toEqual([413, 'image_too_large']);
  });

  /** One that stops after its first bytes. */
  function stall(ip: string, key: string): Socket {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.on('error', () => {});
    socket.resume();
    socket.write(
      `POST /api/v1/apps/product_x/pictures HTTP/1.1\r\nhost: a\r\nx-forwarded-for: ${ip}\r\n` +
        `authorization: Bearer ${key}\r\ncontent-type: multipart/form-data; boundary=x\r\n` +
        'content-length: 9000000\r\n\r\n--x',
    );
    return socket;
  }

  it('is one at a time per address, six at a time for all; the next ones get their answer', async () => {
    const ip = randomIp();
    const stalled = [stall(ip, token)];
    // The first to arrive holds the place.
    await delay(300);
    await eventually(async () => expect((await upload(10, ip)).status).toBe(429));
    expect((await upload(10)).status).toBe(201);
    for (let n = 1; n < uploadsMax; n += 1) stalled.push(stall(randomIp(), await newKey()));
    await delay(300);
    await eventually(async () => {
      const full = await upload(10);
      expect([full.status, full.headers.get('retry-after')]).toEqual([503, '2']);
    });
    for (const socket of stalled) socket.destroy();
    await eventually(async () => expect((await upload(10, ip)).status).toBe(201));
  });

  it('is two at a time per workspace, whatever the addresses', async () => {
    const greedy = await newKey();
    const stalled = Array.from({ length: uploadsMax }, () => stall(randomIp(), greedy));
    await delay(300);
    await eventually(async () => expect((await upload(10, randomIp(), greedy)).status).toBe(429));
    expect((await upload(10)).status).toBe(201);
    for (const socket of stalled) socket.destroy();
    await eventually(async () => expect((await upload(10, randomIp(), greedy)).status).toBe(201));
  });
});
