import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createBareServer, installErrorEnvelope } from '@hookline/shared/http';
import { createLogger } from '@hookline/shared/kernel';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { limitBodies } from './unread-bodies.ts';

const bytesMax = 100_000;
let app: FastifyInstance;
let url: string;
let release: () => void;
const open: ClientRequest[] = [];

beforeEach(async () => {
  const log = createLogger({ service: 'test', level: 'silent' });
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  app = createBareServer(log);
  installErrorEnvelope(app, log);
  limitBodies(app, ({ headers }) => String(headers['x-from']), bytesMax);
  app.post('/', async () => ({ data: null }));
  app.post('/busy', async () => {
    await released;
    return { data: null };
  });
  url = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(async () => {
  for (const one of open.splice(0)) one.destroy();
  release();
  await app.close();
});

const bodyOf = (length: number): string => JSON.stringify('x'.repeat(length - 2));

/** A request of which `sent` bytes of the body are sent, with its answer. */
async function begin(path: string, length: number, sent: number) {
  const headers = { 'content-type': 'application/json', 'content-length': length, 'x-from': open.length };
  const one = request(url + path, { method: 'POST', headers });
  one.on('error', () => {});
  open.push(one);
  const answer = once(one, 'response').then(([response]) => response as IncomingMessage);
  answer.catch(() => {});
  await new Promise<void>(resolve => one.write(bodyOf(length).slice(0, sent), () => resolve()));
  return { one, answer, finish: () => one.end(bodyOf(length).slice(sent)) };
}

async function statusOf(): Promise<number | undefined> {
  const { answer, finish } = await begin('/', 100, 0);
  finish();
  const { statusCode, headers } = await answer;
  if (statusCode === 503) expect([headers['retry-after'], headers.connection]).toEqual(['2', 'close']);
  return statusCode;
}

const eventuallyStatus = (status: number) =>
  expect.poll(statusOf, { timeout: 20_000, interval: 20 }).toBe(status);

it('refuses bodies while those that are not complete fill the memory, whatever their addresses', async () => {
  expect(await statusOf()).toBe(200);
  await begin('/', bytesMax, bytesMax - 1);
  await begin('/', 1_000, 900);
  await eventuallyStatus(503);
  for (const one of open) one.destroy();
  await eventuallyStatus(200);
});

it('counts a body until its answer', async () => {
  const { answer, finish } = await begin('/busy', bytesMax, 1);
  finish();
  await eventuallyStatus(503);
  release();
  expect((await answer).statusCode).toBe(200);
  await eventuallyStatus(200);
});

it('answers a body that passes the limit while it arrives, and goes on', async () => {
  await begin('/', bytesMax, bytesMax - 10_000);
  const { answer, finish } = await begin('/', 50_000, 1_000);
  finish();
  const { statusCode, headers } = await answer;
  expect([statusCode, headers['retry-after']]).toEqual([503, '2']);
  // Its bytes are given back.
  await eventuallyStatus(200);
});

it.each([
  ['application/json', 503],
  ['text/plain', 415],
])('outlives chunks that arrive together beyond the limit, %s: %i', async (type, status) => {
  await begin('/', bytesMax, bytesMax - 10_000);
  const head = `POST / HTTP/1.1\r\nhost: a\r\nx-from: b\r\ncontent-type: ${type}\r\n`;
  const chunk = `1f40\r\n${'x'.repeat(8_000)}\r\n`;
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.end(`${head}connection: close\r\ntransfer-encoding: chunked\r\n\r\n${chunk.repeat(6)}0\r\n\r\n`);
  expect((await text(socket)).slice(9, 12)).toBe(String(status));
  await eventuallyStatus(200);
});
