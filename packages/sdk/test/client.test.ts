/** The built client against a server that misbehaves. */
import { createHmac } from 'node:crypto';
import { inspect } from 'node:util';
import { perSuite } from '@hookline/testing/per-suite';
import { Webhook } from 'standardwebhooks';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  Hookline,
  HooklineError,
  HooklineSession,
  verifyWebhook,
  WebhookVerificationError,
} from '../dist/index.js';
import { type Answer, refusal, type Scripted, startHostileServer } from './hostile-server.ts';

const server = perSuite(startHostileServer);
let hookline: Hookline;

beforeAll(async () => {
  hookline = new Hookline({ apiKey: 'svc_live_test', baseUrl: server.baseUrl, timeoutMs: 2_000 });
});

const ok = { body: { data: { id: 'x_1' } } };
const body = { appId: 'product_1', type: 'slideshow' } as const;
const html: Answer = { status: 200, body: '<html>Sign in</html>' };
const soon = { 'retry-after': '0' };
const session = () => new HooklineSession({ token: 'sess_test', baseUrl: server.baseUrl, timeoutMs: 2_000 });

const keysSent = (): unknown[] => server.received.map(({ headers }) => headers['idempotency-key']);

async function failureOf(call: PromiseLike<unknown>): Promise<HooklineError> {
  const error = await Promise.resolve(call).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(HooklineError);
  return error as HooklineError;
}

describe('requests', () => {
  it('answer the record, with the key as bearer token', async () => {
    server.script(ok);
    expect(await hookline.apps.update('a/b', { name: 'New' })).toEqual({ id: 'x_1' });
    expect(server.received[0]).toMatchObject({
      method: 'PATCH',
      path: '/api/v1/apps/a%2Fb',
      body: '{"name":"New"}',
      headers: { authorization: 'Bearer svc_live_test', 'content-type': 'application/json' },
    });
  });

  it.each(['', '/', '/api/v1', '/api/v1/'])('go to /api/v1 with the base URL ending in "%s"', async end => {
    server.script(ok);
    await new Hookline({ apiKey: 'svc_live_test', baseUrl: server.baseUrl + end }).credits.get();
    expect(server.received[0]?.path).toBe('/api/v1/credits');
  });

  it('read the environment, and need a key and an http address', () => {
    const { HOOKLINE_API_KEY, HOOKLINE_BASE_URL } = process.env;
    delete process.env.HOOKLINE_API_KEY;
    try {
      expect(() => new Hookline()).toThrow('Pass apiKey, or set HOOKLINE_API_KEY.');
      process.env.HOOKLINE_API_KEY = 'svc_live_env';
      process.env.HOOKLINE_BASE_URL = 'localhost:8080';
      expect(() => new Hookline()).toThrow('baseUrl must be an http or https address, not "localhost:8080".');
      process.env.HOOKLINE_BASE_URL = server.baseUrl;
      expect(inspect(new Hookline(), { depth: 9 })).not.toContain('svc_live_env');
    } finally {
      for (const [name, value] of Object.entries({ HOOKLINE_API_KEY, HOOKLINE_BASE_URL })) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });

  it.each(['svc_live_secret\nsvc_live_other', 'svc_live_…'])('are not sent with the key %j', async apiKey => {
    server.script(ok);
    const call = new Hookline({ apiKey, baseUrl: server.baseUrl }).credits.get();
    const error = await call.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect(inspect(error)).not.toContain('svc_live_');
    expect(server.received).toEqual([]);
  });

  it('leave parameters out that are undefined, and send flags', async () => {
    server.script(ok);
    const schedule = { contentId: 'content_1', tiktokAccountId: 'account_1' };
    await hookline.schedules.create(schedule, { dryRun: true });
    await hookline.content.preflight('content_1', { mode: 'publish', privacyLevel: undefined });
    expect(server.received.map(({ path }) => path)).toEqual([
      '/api/v1/schedules?dryRun=true',
      '/api/v1/content/content_1/preflight?mode=publish',
    ]);
  });

  it('upload a picture as a form', async () => {
    server.script({ status: 201, body: { data: { id: 'picture_1' } } });
    await hookline.apps.addPicture('product_1', new Uint8Array([1, 2, 3]));
    expect(server.received[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(server.received[0]?.body).toContain('name="file"; filename="file"');
  });
});

describe('retries', () => {
  it('wait as long as the API says, with one Idempotency-Key for the call', async () => {
    server.script(refusal(429, 'rate_limited', { 'retry-after': '1' }), 'cut', { status: 201, ...ok });
    const began = performance.now();
    expect(await hookline.content.create(body)).toEqual({ id: 'x_1' });
    expect(performance.now() - began).toBeGreaterThan(1_000);
    expect(new Set(keysSent()).size).toBe(1);
    expect(keysSent()).toHaveLength(3);
    const [first] = keysSent();
    await hookline.content.create(body);
    expect(keysSent()[3]).not.toBe(first);
    await hookline.content.create(body, { idempotencyKey: 'mine' });
    expect(keysSent()[4]).toBe('mine');
  });

  const post = () => hookline.content.create(body);
  const get = () => hookline.credits.get();
  const patch = () => hookline.content.update('content_1', { caption: 'x' });
  const signIn = () => session().auth.signIn({ email: 'a@b.co', password: 'x' });
  const unavailable = refusal(503, 'service_unavailable', soon);
  const gateway: Answer = { status: 502, headers: soon, body: '<html>Bad gateway</html>' };
  const cases: [string, () => PromiseLike<unknown>, Scripted, boolean][] = [
    ['429 of any request', signIn, refusal(429, 'rate_limited', soon), true],
    ['a wait of an hour', get, refusal(429, 'rate_limited', { 'retry-after': '3600' }), false],
    ['503 of a POST with a key', post, unavailable, true],
    ['503 of a PATCH, which promises that a repeat is safe', patch, unavailable, true],
    ['503 of a POST without a key', signIn, unavailable, false],
    ['500 of a GET', get, refusal(500, 'internal_error', soon), true],
    ['500 of a PATCH', patch, refusal(500, 'internal_error', soon), false],
    ['a cut connection of a GET', get, 'cut', true],
    ['a cut connection of a PATCH', patch, 'cut', false],
    ['a cut connection of a POST without a key', signIn, 'cut', false],
    ['502 of a proxy', get, gateway, true],
    ['502 of a proxy for a PATCH', patch, gateway, false],
    ['504 outcome_unknown', post, refusal(504, 'outcome_unknown'), false],
    ['502 of the platform', post, refusal(502, 'tiktok_publish_failed'), false],
    ['402', post, refusal(402, 'insufficient_credits'), false],
    ['409 while the first with the key runs', post, refusal(409, 'invalid_request', soon), true],
    ['409 of a PATCH after a change', patch, refusal(409, 'invalid_request', soon), false],
    ['409 of a state', post, refusal(409, 'invalid_request'), false],
    ['a store that names a time', post, refusal(502, 'store_unavailable', soon), true],
    ['a page instead of the API', get, html, false],
  ];
  it.each(cases)('%s', async (_name, call, answer, isRepeated) => {
    server.script(answer, ok);
    const result = await call().then(
      () => true,
      () => false,
    );
    expect([result, server.received.length]).toEqual(isRepeated ? [true, 2] : [false, 1]);
  });

  it('end after maxRetries', async () => {
    server.script(refusal(503, 'service_unavailable', soon));
    expect((await failureOf(hookline.credits.get())).code).toBe('service_unavailable');
    expect(server.received).toHaveLength(3);
    server.script(refusal(503, 'service_unavailable', soon));
    await failureOf(hookline.credits.get({ maxRetries: 0 }));
    expect(server.received).toHaveLength(1);
  });

  it('end with the signal, also in the middle of a wait', async () => {
    server.script(refusal(429, 'rate_limited', { 'retry-after': '30' }));
    const ender = new AbortController();
    const call = hookline.credits.get({ signal: ender.signal });
    setTimeout(() => ender.abort(new Error('enough')), 50);
    await expect(call).rejects.toThrow('enough');
    expect(server.received).toHaveLength(1);
  });
});

describe('errors', () => {
  it('carry code, status, request id, the field and the seconds to wait', async () => {
    server.script(refusal(429, 'rate_limited', { 'retry-after': '90' }));
    const { code, status, requestId, param, retryAfterSeconds, message } = await failureOf(
      hookline.credits.get(),
    );
    expect({ code, status, requestId, param, retryAfterSeconds, message }).toEqual({
      code: 'rate_limited',
      status: 429,
      requestId: 'req_of_body',
      param: 'limit',
      retryAfterSeconds: 90,
      message: 'The message of rate_limited.',
    });
  });

  it.each<[string, Scripted, string]>([
    ['a page', html, `answered 200 text/html with no envelope: is the base URL right?`],
    ['a page of a 404', { ...html, status: 404 }, 'answered 404 text/html with no error envelope: is the'],
    ['a redirect', { status: 302, headers: { location: '/login' }, body: '' }, 'answered 302 text/html'],
    ['JSON of something else', { body: [] }, 'answered 200 application/json with no envelope'],
  ])('ask for the base URL when the answer is %s', async (_name, answer, text) => {
    server.script(answer);
    const error = await failureOf(hookline.credits.get());
    expect(error.code).toBe('no_envelope');
    expect(error.message).toContain(`GET ${server.baseUrl}/api/v1/credits ${text}`);
    expect(error.requestId).toBe('req_of_header');
  });

  it('say that half an answer timed out, and that nobody listens', async () => {
    server.script('stall');
    const slow = await failureOf(hookline.credits.get({ timeoutMs: 100, maxRetries: 0 }));
    expect([slow.code, slow.status]).toEqual(['timed_out', null]);
    const gone = await startHostileServer();
    await gone.close();
    const nobody = new Hookline({ apiKey: 'svc_live_test', baseUrl: gone.baseUrl });
    const refused = await failureOf(nobody.credits.get({ maxRetries: 0 }));
    expect(refused.code).toBe('connection_failed');
    expect(refused.message).toContain('ECONNREFUSED');
  });

  const proxyGaveUp: Answer = { status: 504, body: '<html>Gateway Time-out</html>' };
  const remove = (from: Hookline) => from.schedules.delete('schedule_1');
  it.each<[string, Scripted[], (from: Hookline) => PromiseLike<unknown>, boolean]>([
    ['was cut', ['cut'], remove, true],
    ['was cut, and its repeat found nothing', ['cut', refusal(404, 'not_found')], remove, true],
    ['was given up by a proxy', [proxyGaveUp], remove, true],
    ['was refused', [refusal(409, 'already_sent')], remove, false],
    ['was cut, and only reads', ['cut'], from => from.credits.get(), false],
  ])('say whether a request may have been carried out that %s', async (_name, answers, call, isSaid) => {
    server.script(...answers);
    const { message } = await failureOf(call(hookline));
    expect(message.includes('It may have been carried out')).toBe(isSaid);
  });

  it('do not say so of a request that reached nobody', async () => {
    const gone = await startHostileServer();
    await gone.close();
    const nobody = new Hookline({ apiKey: 'svc_live_test', baseUrl: gone.baseUrl, maxRetries: 0 });
    expect((await failureOf(remove(nobody))).message).toMatch(/ECONNREFUSED\.$/);
  });
});

describe('lists', () => {
  const page = (ids: number[], nextCursor: string | null): Scripted => ({
    body: { data: ids.map(id => ({ id: `app_${id}` })), nextCursor },
  });

  it('read page after page as they are needed', async () => {
    server.script(page([1, 2], 'two'), page([3], null));
    const seen: string[] = [];
    for await (const app of hookline.apps.list()) seen.push(app.id);
    expect(seen).toEqual(['app_1', 'app_2', 'app_3']);
    expect(server.received.map(({ path }) => path)).toEqual([
      '/api/v1/apps?limit=100',
      '/api/v1/apps?limit=100&cursor=two',
    ]);
    server.script(page([1, 2], 'two'));
    expect(await hookline.apps.list({ limit: 2 }).toArray(2)).toHaveLength(2);
    expect(await hookline.apps.list({ limit: 2 }).page('two')).toMatchObject({ nextCursor: 'two' });
    expect(server.received.map(({ path }) => path)).toEqual([
      '/api/v1/apps?limit=2',
      '/api/v1/apps?limit=2&cursor=two',
    ]);
  });

  it('of the feed end where it ends, although it always has a cursor', async () => {
    server.script(page([1, 2], 'two'), page([3], 'three'));
    expect(await hookline.events.list({ limit: 2, after: 'zero' }).toArray()).toHaveLength(3);
    expect(server.received.map(({ path }) => path)).toEqual([
      '/api/v1/events?limit=2&after=zero',
      '/api/v1/events?limit=2&after=two',
    ]);
  });

  it('of the feed, newest first, go on to what is older', async () => {
    const first = {
      data: [{ id: 'event_3' }, { id: 'event_2' }],
      nextCursor: 'three',
      previousCursor: 'two',
    };
    const last = { data: [{ id: 'event_1' }], nextCursor: 'one', previousCursor: null };
    server.script({ body: first }, { body: last });
    expect(await hookline.events.list({ limit: 2, order: 'newest' }).toArray()).toHaveLength(3);
    expect(server.received.map(({ path }) => path)).toEqual([
      '/api/v1/events?limit=2&order=newest',
      '/api/v1/events?limit=2&order=newest&before=two',
    ]);
  });
});

describe('waiting', () => {
  const job = (status: string): Answer => ({ body: { data: { id: 'content_1', status } } });

  it('looks until the content is finished', async () => {
    server.script({ ...job('queued'), status: 201 }, job('running'), job('ready'), job('ready'));
    const patient = new Hookline({ apiKey: 'svc_live_test', baseUrl: server.baseUrl });
    patient.waitFor = (id, options) =>
      Hookline.prototype.waitFor.call(patient, id, { ...options, everyMs: 1 });
    expect(await patient.content.create(body, { wait: true })).toMatchObject({ status: 'ready' });
    expect(server.received.map(({ path }) => path)).toEqual([
      '/api/v1/content',
      '/api/v1/jobs/content_1',
      '/api/v1/jobs/content_1',
      '/api/v1/content/content_1',
    ]);
  });

  it('ends with wait_ran_out', async () => {
    server.script(job('running'));
    const error = await failureOf(hookline.waitFor('content_1', { everyMs: 5, withinMs: 20 }));
    expect(error.code).toBe('wait_ran_out');
  });

  it('looks until the time is over, and no longer when a look is not answered', async () => {
    server.script(job('running'), job('ready'), job('ready'));
    expect(await hookline.waitFor('content_1', { everyMs: 40, withinMs: 60 })).toMatchObject({
      id: 'content_1',
    });
    server.script(job('running'), 'stall');
    const began = performance.now();
    const error = await failureOf(hookline.waitFor('content_1', { everyMs: 1, withinMs: 300 }));
    expect(error.message).toBe('content_1 is still running after 300 ms.');
    expect(performance.now() - began).toBeLessThan(1_900);
  });
});

describe('sessions', () => {
  it('sign in, and send the token that no log shows', async () => {
    server.script({ body: { data: { session: { token: 'sess_new' } } } }, ok);
    const { baseUrl } = server;
    const client = await HooklineSession.signIn({ email: 'a@b.co', password: 'secret', baseUrl });
    expect(server.received[0]?.headers.authorization).toBeUndefined();
    expect(server.received[0]?.body).toBe('{"email":"a@b.co","password":"secret"}');
    await client.workspace.get();
    expect(server.received[1]?.headers.authorization).toBe('Bearer sess_new');
    expect(inspect(client, { depth: 9, showHidden: false })).not.toContain('sess_new');
  });
});

describe('verifying a delivery', () => {
  const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
  const other = `whsec_${Buffer.from('fedcba9876543210fedcba9876543210').toString('base64')}`;
  const text = '{"id":"event_1","type":"job.completed","data":{"text":"schön 🎉"}}';
  let headers: Record<string, string>;
  beforeEach(() => {
    const at = new Date();
    headers = {
      'webhook-id': 'event_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign('event_1', at, text),
      'X-Service-Signature': createHmac('sha256', secret).update(text).digest('hex'),
    };
  });

  it('accepts what was signed, in every form of body, headers and secrets', async () => {
    const parsed = JSON.parse(text);
    expect(await verifyWebhook(text, headers, secret)).toEqual(parsed);
    expect(await verifyWebhook(Buffer.from(text), new Headers(headers), [other, secret])).toEqual(parsed);
    expect(await hookline.webhooks.verify(text, headers, secret, { signature: 'service' })).toEqual(parsed);
  });

  it('refuses another body, secret or id, a missing header, and one that is old', async () => {
    const refused = (...args: Parameters<typeof verifyWebhook>) =>
      expect(verifyWebhook(...args)).rejects.toBeInstanceOf(WebhookVerificationError);
    await refused(`${text} `, headers, secret);
    await refused(text, headers, other);
    await refused(text, headers, 'whsec_');
    await refused(text, { ...headers, 'webhook-id': 'event_2' }, secret);
    await refused(text, { ...headers, 'webhook-signature': 'v1,*' }, secret);
    await refused(text, {}, secret);
    await refused(`${text} `, headers, secret, { signature: 'service' });
    const at = new Date(Date.now() - 301_000);
    const old = {
      'webhook-id': 'event_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign('event_1', at, text),
    };
    await refused(text, old, secret);
    expect(await verifyWebhook(text, old, secret, { toleranceSeconds: 400 })).toMatchObject({
      id: 'event_1',
    });
  });
});
