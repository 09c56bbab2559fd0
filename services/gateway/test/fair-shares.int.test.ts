/** Requests of one workspace that never end do not delay those of another. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { eventually } from '@hookline/testing/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { slowReadersMax } from '../src/edge/forward/slow-readers.ts';
import { randomIp, startTestGateway, type TestGateway } from './world.ts';

let owner: Server;
let gateway: TestGateway;
/** What waits for a silent receiver, or for the name servers of an endpoint's host. */
const held: ServerResponse[] = [];
let heldMax = 0;
const sockets: Socket[] = [];
let imagesBegun = 0;
const imagesCut: (string | undefined)[] = [];
// More than the buffers of both connections hold, so that the owner notices that one is cut.
const image = Buffer.alloc(30_000_000);

beforeAll(async () => {
  owner = createServer((request, response) => {
    if (request.url?.startsWith('/media/images/')) {
      imagesBegun += 1;
      response.on('close', () => {
        if (!response.writableFinished) imagesCut.push(request.url);
      });
      return response.writeHead(200, { 'content-type': 'image/jpeg' }).end(image);
    }
    response.setHeader('content-type', 'application/json');
    request.resume().on('end', () => {
      if (request.method === 'GET') return response.end('{"data":[],"nextCursor":null}');
      held.push(response);
      heldMax = Math.max(heldMax, held.length);
    });
  });
  await new Promise<void>(resolve => owner.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(owner.address() as AddressInfo).port}`;
  const env = { LIMIT_PER_KEY: '1000000', LIMIT_CONTENT_PER_KEY: '1000000', LIMIT_PER_IP: '1000000' };
  gateway = await startTestGateway({ automation: url, content: url, scheduling: url }, { env });
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  for (const response of held.splice(0)) response.end('{"data":{}}');
  await gateway?.stop();
  owner?.closeAllConnections();
  owner?.close();
});

async function newKey(): Promise<string> {
  return (await gateway.mint((await gateway.signUp()).token)).key;
}

/** The slowest of 100 requests, one after the other, and of the 99 fastest of them. */
async function timesOf(token: string): Promise<{ p99: number }> {
  const times: number[] = [];
  for (let count = 0; count < 100; count += 1) {
    const beganMs = performance.now();
    const { status } = await gateway.call('GET', '/api/v1/automations', { token });
    expect(status).toBe(200);
    times.push(performance.now() - beganMs);
  }
  return { p99: times.toSorted((left, right) => left - right)[98] ?? 0 };
}

/** Answers whatever is held until all of the requests have ended. @returns their statuses */
async function answerUntilEnded(requests: readonly Promise<{ status: number }>[]): Promise<Set<number>> {
  let ended = 0;
  const all = Promise.all(requests.map(request => request.finally(() => (ended += 1))));
  while (ended < requests.length) {
    for (const response of held.splice(0)) response.end('{"data":{}}');
    await new Promise(resolve => setImmediate(resolve));
  }
  return new Set((await all).map(({ status }) => status));
}

it('changes of one workspace that wait for another service leave connections to the database', async () => {
  const [one, other] = [await gateway.signUp(), await gateway.signUp()];
  const { id } = await gateway.mint(one.token);
  const pause = { token: one.token, body: { sendingPaused: true } };
  const requests = Array.from({ length: 20 }, () => gateway.call('PATCH', '/api/v1/workspace', pause));
  await eventually(() => expect(held.length).toBeGreaterThan(0));
  for (let count = 0; count < 10; count += 1) {
    const beganMs = performance.now();
    const { status } = await gateway.call('GET', '/api/v1/auth/session', { token: other.token });
    expect([status, performance.now() - beganMs < 1_000]).toEqual([200, true]);
  }
  const beganMs = performance.now();
  const { email, password } = one;
  expect((await gateway.call('POST', '/api/v1/auth/sign-in', { body: { email, password } })).status).toBe(
    200,
  );
  // What ends an access waits for none of them.
  for (const [method, path] of [
    ['DELETE', `keys/${id}`],
    ['DELETE', 'auth/sessions'],
  ] as const)
    expect((await gateway.call(method, `/api/v1/${path}`, { token: one.token })).status).toBe(200);
  expect(performance.now() - beganMs).toBeLessThan(1_000);
  expect(await answerUntilEnded(requests)).toEqual(new Set([200]));
});

it('200 requests that wait for the outside hold up nobody else, and each gets its turn', async () => {
  const [attacker, other] = [await newKey(), await newKey()];
  await timesOf(other);
  const quiet = await timesOf(other);
  const url = 'https://names-that-never-answer.example.com';
  const kinds = [
    ['POST', '/api/v1/webhooks/webhook_1/test', undefined],
    ['POST', '/api/v1/webhooks', { url, events: ['job.completed'] }],
    ['PATCH', '/api/v1/webhooks/webhook_1', { url }],
  ] as const;
  const tests = Array.from({ length: 200 }, (_, at) => {
    const [method, path, body] = kinds[at % kinds.length] ?? kinds[0];
    return gateway.call(method, path, { token: attacker, body });
  });
  await eventually(() => expect(held).toHaveLength(4));
  const during = await timesOf(other);
  // Who waits for a slot waits until a receiver answers; less than a second is a busy machine.
  expect(during.p99).toBeLessThan(Math.max(2 * quiet.p99, 1_000));
  expect((await gateway.call('GET', '/api/v1/automations', { token: attacker })).status).toBe(200);
  expect(await answerUntilEnded(tests)).toEqual(new Set([200]));
  expect(heldMax).toBe(4);
});

it('200 decks of one account that wait for a text model hold up nobody else', async () => {
  const [attacker, other] = [await newKey(), await newKey()];
  const decks = Array.from({ length: 200 }, (_, at) =>
    gateway.call('POST', '/api/v1/content', {
      token: attacker,
      body: {},
      headers: { 'idempotency-key': `deck ${at}` },
    }),
  );
  await eventually(() => expect(held).toHaveLength(36));
  const beganMs = performance.now();
  expect((await gateway.call('GET', '/api/v1/apps', { token: other })).status).toBe(200);
  expect(performance.now() - beganMs).toBeLessThan(1_000);
  const ofOther = gateway.call('POST', '/api/v1/content', {
    token: other,
    body: {},
    headers: { 'idempotency-key': 'deck' },
  });
  await eventually(() => expect(held).toHaveLength(37));
  expect(await answerUntilEnded(decks)).toEqual(new Set([200]));
  expect((await ofOther).status).toBe(200);
});

/** Asks for an image, and reads 1 KB of it a second. */
function readSlowly(id: string, ip: string): void {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  const reading = setInterval(() => socket.read(1_024), 1_000);
  socket.on('error', () => {});
  socket.on('close', () => clearInterval(reading));
  socket.write(`GET /media/images/${id} HTTP/1.1\r\nhost: a\r\nx-forwarded-for: ${ip}\r\n\r\n`);
}

it('64 readers of 1 KB a second take no slot from others; of too many, the greediest loses its oldest', async () => {
  const token = await newKey();
  readSlowly('patient', randomIp());
  await eventually(() => expect(imagesBegun).toBe(1));
  const greedy = randomIp();
  readSlowly('first', greedy);
  await eventually(() => expect(imagesBegun).toBe(2));
  for (let count = 2; count < 65; count += 1) readSlowly('next', greedy);
  await eventually(() => expect(imagesBegun).toBeGreaterThanOrEqual(64), 15_000);
  const beganMs = performance.now();
  expect((await gateway.call('GET', '/api/v1/apps', { token })).status).toBe(200);
  // A slot is free after 500 ms; a request that finds none is refused after 10 s.
  expect(performance.now() - beganMs).toBeLessThan(3_000);
  for (let count = 65; count < slowReadersMax + 1; count += 1) readSlowly('next', greedy);
  await eventually(() => expect(imagesCut).toEqual(['/media/images/first']), 15_000);
});
