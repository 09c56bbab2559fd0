import { randomBytes } from 'node:crypto';
import { createServer, request as httpRequest } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { notFound } from '@hookline/shared/contracts';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startOwner, startTestGateway, type TestGateway } from './world.ts';

const image = randomBytes(5_000_000);
const content = perSuite(() =>
  startOwner('content', app => {
    app.route({
      method: ['GET', 'HEAD'],
      url: '/media/images/:id',
      config: { open: true },
      handler: async (request, reply) => {
        if ((request.params as { id: string }).id === 'image_0') throw notFound('image');
        return reply
          .headers({ 'content-type': 'image/jpeg', 'content-length': image.length, etag: '"1"' })
          .send(image);
      },
    });
  }),
);
const odd = perSuite(() =>
  createServer((request, response) => {
    asked += 1;
    (act as unknown as (request: unknown, response: unknown) => void)(request, response);
  }),
);
/** Accepts connections and closes them at once. */
let scheduling: net.Server;
let gateway: TestGateway;
let key: string;
/** How the faulty service handles the next requests, and how often it was called. */
let act: Parameters<typeof createServer>[1] & ((...args: never[]) => void);
let asked = 0;
let isHolding = false;

beforeAll(async () => {
  await new Promise<void>(resolve => odd.listen(0, '127.0.0.1', resolve));
  const oddUrl = `http://127.0.0.1:${(odd.address() as AddressInfo).port}`;
  scheduling = net.createServer();
  await new Promise<void>(resolve => scheduling.listen(0, '127.0.0.1', resolve));
  const schedulingUrl = `http://127.0.0.1:${(scheduling.address() as AddressInfo).port}`;
  gateway = await startTestGateway({
    content: content.url,
    automation: oddUrl,
    scheduling: schedulingUrl,
  });
  await takeKey();
});

/** A key with its own limit: tests that poll for an answer send many requests. */
async function takeKey(): Promise<void> {
  key = (await gateway.mint((await gateway.signUp()).token)).key;
}

afterAll(async () => {
  await gateway?.stop();
  odd?.closeAllConnections();
  scheduling?.close();
});

type Respond = (
  response: import('node:http').ServerResponse,
  request: import('node:http').IncomingMessage,
) => void;

function behave(respond: Respond): void {
  asked = 0;
  act = ((request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) =>
    respond(response, request)) as unknown as typeof act;
}

const askOdd = (method = 'GET', body?: unknown) =>
  gateway.call(method, '/api/v1/automations', { token: key, ...(body === undefined ? {} : { body }) });

describe('what reaches the owner', () => {
  it('the path without /api, signed by the gateway for the key, the same request id and the given trace', async () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const answer = await gateway.call('GET', '/api/v1/apps?limit=2', {
      token: key,
      headers: { traceparent },
    });
    expect(answer.status).toBe(200);
    const seen = content.seen.at(-1);
    expect(seen?.url).toBe('/v1/apps?limit=2');
    expect(seen?.call).toMatchObject({ sender: 'gateway', requestId: answer.headers.get('x-request-id') });
    expect(seen?.call?.caller).toMatchObject({ keyId: expect.stringMatching(/^key_/), userId: null });
    expect(seen?.call?.caller?.accountId).toMatch(/^acct_/);
    expect(String(seen?.headers.traceparent).slice(3, 35)).toBe('a'.repeat(32));
  });

  it('no look-alike of our own headers, no key, no hop-by-hop header', async () => {
    const headers = {
      'x-hookline-caller': 'forged',
      'x-hookline-account': 'acct_1',
      forwarded: 'for=1.2.3.4',
      'x-forwarded-host': 'evil',
      'x-request-id': 'mine',
      cookie: 'a=b',
      te: 'trailers',
      traceparent: 'nonsense',
    };
    const answer = await gateway.call('GET', '/api/v1/apps', { token: key, headers });
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
    const seen = content.seen.at(-1);
    expect(seen?.call?.sender).toBe('gateway');
    expect(Object.keys(seen?.headers ?? {}).sort()).toEqual(
      [
        'accept',
        'accept-language',
        'connection',
        'host',
        'traceparent',
        'user-agent',
        'x-hookline-caller',
      ].sort(),
    );
    expect(seen?.headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  });

  it('the body byte for byte with its content type and the Idempotency-Key', async () => {
    behave((response, request) => {
      const chunks: Buffer[] = [];
      request.on('data', chunk => chunks.push(chunk));
      request.on('end', () => {
        const data = { got: Buffer.concat(chunks).toString(), ...request.headers };
        response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
      });
    });
    const rawBody = '{ "name" : "é",\n"n": 1.0 }';
    const headers = { 'idempotency-key': 'k1', 'content-type': 'application/json; charset=utf-8' };
    const { body } = await gateway.call('POST', '/api/v1/automations', { token: key, rawBody, headers });
    expect(body.data).toMatchObject({ got: rawBody, ...headers });
  });
});

describe('what comes back', () => {
  it('an envelope byte for byte, with its status and headers', async () => {
    const text = '{"error":{"code":"not_ready","message":"é","requestId":"req_x"}}  ';
    behave(response => {
      response
        .writeHead(409, {
          'content-type': 'application/json',
          'retry-after': '7',
          'x-powered-by': 'x',
          'set-cookie': 'a=b',
        })
        .end(text);
    });
    const answer = await askOdd();
    expect([answer.status, answer.text, answer.headers.get('retry-after')]).toEqual([409, text, '7']);
    expect([answer.headers.get('x-powered-by'), answer.headers.get('set-cookie')]).toEqual([null, null]);
  });

  it('a list of 3 MB whole', async () => {
    const text = JSON.stringify({
      data: Array.from({ length: 3_000 }, () => 'x'.repeat(1_000)),
      nextCursor: null,
    });
    behave(response => response.writeHead(200, { 'content-type': 'application/json' }).end(text));
    expect((await askOdd()).text).toBe(text);
  });

  const noEnvelopes: [string, Respond][] = [
    ['an HTML page', response => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hi</h1>')],
    [
      'an HTML error',
      response => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad</h1>'),
    ],
    [
      'JSON that is not an envelope',
      response => response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":1}'),
    ],
    [
      'a success envelope with an error status',
      response => response.writeHead(500, { 'content-type': 'application/json' }).end('{"data":1}'),
    ],
    [
      'an error envelope with status 200',
      response => response.writeHead(200, { 'content-type': 'application/json' }).end('{"error":{}}'),
    ],
    ['a redirect', response => response.writeHead(302, { location: 'http://evil/' }).end()],
    ['an empty 204', response => response.writeHead(204).end()],
    [
      'half an answer',
      response => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{"data":');
        setImmediate(() => response.destroy());
      },
    ],
    ['a cut connection', response => response.destroy()],
  ];

  /** The error per method after the request was handed over. Only what is safe to repeat invites a retry. */
  const lostAnswers = [
    { method: 'GET', key: null, path: '', told: [503, 'service_unavailable', '1'] },
    { method: 'PATCH', key: null, path: '/a', told: [503, 'service_unavailable', '1'] },
    { method: 'DELETE', key: null, path: '/a', told: [503, 'service_unavailable', '1'] },
    { method: 'POST', key: 'k', path: '', told: [503, 'service_unavailable', '1'] },
    { method: 'POST', key: null, path: '', told: [504, 'outcome_unknown', null] },
  ];

  it.each(noEnvelopes)('an error of ours instead of %s', async (_name, respond) => {
    for (const { method, key: idempotencyKey, path, told } of lostAnswers) {
      behave(respond);
      const answer = await gateway.call(method, `/api/v1/automations${path}`, {
        token: key,
        ...(method === 'POST' || method === 'PATCH' ? { body: {} } : {}),
        ...(idempotencyKey === null ? {} : { headers: { 'idempotency-key': idempotencyKey } }),
      });
      const { code, message, requestId } = answer.body.error;
      expect([answer.status, code, answer.headers.get('retry-after')]).toEqual(told);
      if (method !== 'GET') expect(message).toContain('may have been carried out');
      expect(requestId).toBe(answer.headers.get('x-request-id'));
      expect(answer.headers.get('location')).toBe(null);
      // Ends the series of failures, so that the breaker stays closed.
      behave(response => response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":1}'));
      expect((await askOdd()).status).toBe(200);
    }
  });

  it('a slow request that tries a failing service again keeps the others out for a second', async () => {
    await takeKey();
    behave(response => response.destroy());
    for (let nth = 0; nth < 8; nth += 1) expect((await askOdd()).status).toBe(503);
    await delay(1_050);
    const held: import('node:http').ServerResponse[] = [];
    const end = (response: import('node:http').ServerResponse) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":1}');
    behave((response, { method }) => (method === 'POST' ? held.push(response) : end(response)));
    const slow = askOdd('POST', {});
    await eventually(() => expect(held).toHaveLength(1));
    expect((await askOdd()).status).toBe(503);
    await delay(1_050);
    expect((await askOdd()).status).toBe(200);
    for (const response of held) end(response);
    expect((await slow).status).toBe(200);
  });

  it('a dry run whose answer was lost is safe to send again', async () => {
    scheduling.on('connection', socket => socket.once('data', () => socket.destroy()));
    const answer = await gateway.call('POST', '/api/v1/schedules?dryRun=true', { token: key, body: {} });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    const real = await gateway.call('POST', '/api/v1/schedules', { token: key, body: {} });
    expect([real.status, real.headers.get('retry-after')]).toEqual([504, null]);
  });

  it('a GET whose connection was cut is sent once more, a POST never', async () => {
    behave(response => response.destroy());
    await askOdd();
    expect(asked).toBe(2);
    behave(response => response.destroy());
    await askOdd('POST', {});
    expect(asked).toBe(1);
  });

  it.each([
    ['', 0],
    [', also when the wall clock was put back by five minutes', 300_000],
  ])(
    '503 at once while a service does not answer, answers a second after it is back%s',
    async (_name, backMs) => {
      await takeKey();
      behave(response => response.destroy());
      for (let index = 0; index < 10; index += 1) await askOdd('POST', {});
      asked = 0;
      const refused = await askOdd('POST', {});
      expect([refused.status, asked]).toEqual([503, 0]);
      const now = Date.now.bind(Date);
      const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() - backMs);
      behave(response => response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":1}'));
      await eventually(async () => expect((await askOdd()).status).toBe(200)).finally(() =>
        clock.mockRestore(),
      );
    },
  );

  it('asks another time, then 503, where the service does not believe our signature: the caller was let in', async () => {
    await takeKey();
    const refuse: Respond = response =>
      response
        .writeHead(401, { 'content-type': 'application/json' })
        .end('{"error":{"code":"unauthorized"}}');
    behave(refuse);
    expect((await askOdd('POST', {})).status).toBe(503);
    expect(asked).toBe(3);
    behave(response =>
      asked === 1
        ? refuse(response, undefined as never)
        : response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":1}'),
    );
    expect((await askOdd('POST', {})).status).toBe(200);
  });

  it('503 service_unavailable when nothing listens, also for a POST: nothing was sent', async () => {
    const answer = await gateway.call('GET', '/api/v1/analytics/summary', { token: key });
    expect([answer.status, answer.body.error.code]).toEqual([503, 'service_unavailable']);
    expect(answer.body.error.message).toContain('analytics');
    const { token } = await gateway.signUp();
    const posted = await gateway.call('POST', '/api/v1/analytics/posts', { token, body: {} });
    expect([posted.status, posted.headers.get('retry-after')]).toEqual([503, '1']);
  });
});

describe('a caller that goes away', () => {
  it('ends the request at the owner', async () => {
    let isClosed = false;
    isHolding = false;
    behave((response, request) => {
      isHolding = true;
      request.on('close', () => {
        isClosed = true;
      });
      response.on('close', () => {
        isClosed = true;
      });
    });
    const sent = httpRequest(`${gateway.url}/api/v1/automations`, {
      headers: { authorization: `Bearer ${key}` },
    });
    sent.on('error', () => {});
    sent.end();
    await eventually(() => expect(isHolding).toBe(true));
    sent.destroy();
    await eventually(() => expect(isClosed).toBe(true));
  });

  it('does not end a change at the owner, whose answer the audit log waits for', async () => {
    const { token } = await gateway.signUp();
    const { key: own } = await gateway.mint(token);
    let answer: (() => void) | undefined;
    let isCut = false;
    behave(response => {
      response.on('close', () => {
        isCut = !response.writableFinished;
      });
      answer = () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{}}');
    });
    const sent = httpRequest(`${gateway.url}/api/v1/webhooks/webhook_1`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${own}` },
    });
    sent.on('error', () => {});
    sent.end();
    await eventually(() => expect(answer).toBeDefined());
    sent.destroy();
    await delay(200);
    answer?.();
    await eventually(async () => {
      const { body } = await gateway.call('GET', '/api/v1/audit?action=webhook.deleted', { token });
      expect(body.data).toMatchObject([{ subject: { id: 'webhook_1' } }]);
    });
    expect(isCut).toBe(false);
  });
});

describe('/media/images/{id}', () => {
  it('5 MB byte for byte without a key, with the headers of the image', async () => {
    const response = await fetch(`${gateway.url}/media/images/image_1?e=1&s=x`);
    expect([response.status, response.headers.get('content-type'), response.headers.get('etag')]).toEqual([
      200,
      'image/jpeg',
      '"1"',
    ]);
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
    expect(Buffer.from(await response.arrayBuffer()).equals(image)).toBe(true);
  });

  it('HEAD: the headers of GET without the body, a missing one 404', async () => {
    const response = await fetch(`${gateway.url}/media/images/image_1?e=1&s=x`, { method: 'HEAD' });
    const { headers } = response;
    expect([response.status, headers.get('content-length'), headers.get('etag')]).toEqual([
      200,
      String(image.length),
      '"1"',
    ]);
    expect((await response.arrayBuffer()).byteLength).toBe(0);
    const missing = await fetch(`${gateway.url}/media/images/image_0?e=1&s=x`, { method: 'HEAD' });
    expect([missing.status, await missing.text()]).toEqual([404, '']);
  });

  it('the envelope when the owner cannot be reached', async () => {
    const answer = await gateway.call('GET', '/media/posts/attempt_1/1');
    expect([answer.status, answer.body.error.code]).toEqual([503, 'service_unavailable']);
  });
});
