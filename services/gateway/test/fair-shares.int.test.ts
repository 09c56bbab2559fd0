/** Requests of one workspace that never end do not delay those of another. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@hookline/testing/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from './world.ts';

let owner: Server;
let gateway: TestGateway;
/** What waits for a silent receiver, or for the name servers of an endpoint's host. */
const held: ServerResponse[] = [];
let heldMax = 0;

beforeAll(async () => {
  owner = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    request.resume().on('end', () => {
      if (request.method === 'GET') return response.end('{"data":[],"nextCursor":null}');
      held.push(response);
      heldMax = Math.max(heldMax, held.length);
    });
  });
  await new Promise<void>(resolve => owner.listen(0, '127.0.0.1', resolve));
  const automation = `http://127.0.0.1:${(owner.address() as AddressInfo).port}`;
  const env = { LIMIT_PER_KEY: '1000000', LIMIT_PER_IP: '1000000' };
  gateway = await startTestGateway({ automation }, { env });
});
afterAll(async () => {
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
  let ended = 0;
  const all = Promise.all(tests.map(test => test.finally(() => (ended += 1))));
  while (ended < tests.length) {
    for (const response of held.splice(0)) response.end('{"data":{}}');
    await new Promise(resolve => setImmediate(resolve));
  }
  expect(new Set((await all).map(({ status }) => status))).toEqual(new Set([200]));
  expect(heldMax).toBe(4);
});
