import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { askPlatform, createPlatformAgent } from './platform.ts';

const agent = createPlatformAgent();
let server: Server;
let requests = 0;

beforeAll(async () => {
  server = createServer((_request, response) => {
    requests += 1;
    response.end('{}');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await agent.close();
  await new Promise(resolve => server.close(resolve));
});

const ask = (mayStart: () => boolean) =>
  askPlatform(agent, {
    method: 'POST',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    headers: { 'content-type': 'application/json' },
    body: '{}',
    timeoutMs: 2_000,
    mayStart,
  });

it('sends nothing when the right to call is lost while it connects', async () => {
  let askedAfterConnection = false;
  const connected = new Promise<void>(resolve => server.once('connection', () => resolve()));
  const answer = await ask(() => {
    askedAfterConnection = true;
    return false;
  });
  await connected;
  expect(answer).toEqual({ kind: 'unreachable', reason: 'NOT_STARTED' });
  expect(askedAfterConnection).toBe(true);
  expect(requests).toBe(0);
});

it('sends once while the right is held', async () => {
  expect(await ask(() => true)).toMatchObject({ kind: 'answered', status: 200, text: '{}' });
  expect(requests).toBe(1);
});
