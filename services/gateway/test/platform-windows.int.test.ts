/** The platform's pulls and webhooks come through few addresses: they are not limited, but guessing is. */
import { ApiError } from '@hookline/shared/contracts';
import { eventually } from '@hookline/testing/eventually';
import { Pool } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomIp, startOwner, startTestGateway, type TestGateway, type TestOwner } from './world.ts';

const slide = '/media/posts/known-token/1';
const events = '/platform/tiktok/events';
const signed = { 'tiktok-signature': 'good' };

let scheduling: TestOwner;
const gateways: TestGateway[] = [];

beforeAll(async () => {
  // Answers like the real service: a known token or a good signature passes, anything else is refused.
  scheduling = await startOwner('scheduling', app => {
    app.get('/media/posts/:attempt/:n', { config: { open: true } }, async (request, reply) => {
      const { attempt } = request.params as { attempt: string };
      if (attempt !== 'known-token') throw new ApiError('not_found', 'No such image.');
      return reply.header('content-type', 'image/jpeg').send(Buffer.from('slide'));
    });
    app.post(events, { config: { open: true } }, async request => {
      if (request.headers['tiktok-signature'] !== 'good') throw new ApiError('unauthorized', 'No.');
      return { data: { received: true } };
    });
  });
});
afterAll(async () => {
  await Promise.all(gateways.map(gateway => gateway.stop()));
  await scheduling?.close();
});

async function start(env: Record<string, string> = {}): Promise<TestGateway> {
  const gateway = await startTestGateway({ scheduling: scheduling.url }, { env });
  gateways.push(gateway);
  return gateway;
}

describe("the platform's requests", () => {
  it('more pulls and webhooks through one address pass than a window has room for', async () => {
    // The window is ten times as wide as the API's.
    const gateway = await start({ LIMIT_PER_IP: '9' });
    const pool = new Pool(gateway.url, { connections: 16 });
    const headers = { 'x-forwarded-for': randomIp() };
    const statuses = new Map<number, number>();
    const ask = async (count: number, send: () => ReturnType<Pool['request']>): Promise<void> => {
      for (let sent = 0; sent < count; sent += 1) {
        const { statusCode, body } = await send();
        await body.dump();
        statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
      }
    };
    await Promise.all([
      ...Array.from({ length: 10 }, () =>
        ask(100, () => pool.request({ method: 'GET', path: slide, headers })),
      ),
      ask(200, () =>
        pool.request({
          ...{ method: 'POST', path: events, body: '{}' },
          headers: { ...headers, ...signed, 'content-type': 'application/json' },
        }),
      ),
    ]);
    await pool.close();
    expect([...statuses]).toEqual([[200, 1_200]]);
  });

  it.each([
    ['tokens', 'GET', '/media/posts/guessed/1', 404],
    ['signatures', 'POST', events, 401],
  ])('a guesser of %s is refused, at both, and nobody else is', async (_, method, path, refusal) => {
    const gateway = await start({ LIMIT_PER_IP: '3' });
    const ip = randomIp();
    const body = method === 'POST' ? {} : undefined;
    const ask = async (): Promise<number> => (await gateway.call(method, path, { ip, body })).status;
    for (let sent = 0; sent < 30; sent += 1) expect(await ask()).toBe(refusal);
    // A request counts once its answer is sent, shortly after the caller has it.
    await eventually(async () => expect(await ask()).toBe(429));
    const refused = await gateway.call('GET', slide, { ip });
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await gateway.call('POST', events, { ip, body: {}, headers: signed })).status).toBe(429);
    expect((await gateway.call('GET', slide)).status).toBe(200);
    expect((await gateway.call('GET', '/livez', { ip })).status).toBe(200);
  });
});
