import { createSecretKey, randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { openTestDatabase } from '@hookline/testing/database';
import { TraceFlags, trace } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ErrorEnvelope, single } from '../contracts/envelope.ts';
import { ApiError, notFound } from '../contracts/errors.ts';
import { body, filledText, idText, integer } from '../contracts/fields.ts';
import type { RouteContract } from '../contracts/route.ts';
import type { ServiceName } from '../contracts/scopes.ts';
import { newId } from '../kernel/index.ts';
import { createLogger } from '../kernel/logger.ts';
import { bareCaller, type Caller, callerHeader, createCallSigner, createCallVerifier } from './caller.ts';
import type { ReadinessCheck } from './drain.ts';
import { parentOf } from './request-context.ts';
import { addInternalRoute, addRoute, addUnbuiltRoute, readIdempotencyKey } from './routes.ts';
import {
  createBareServer,
  createServiceServer,
  installErrorEnvelope,
  requireSealedUpload,
} from './server.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const key = (id: string) => ({ id, key: createSecretKey(randomBytes(32)) });
const ring = { gateway: key('gateway'), automation: key('automation'), content: key('content') };
const caller: Caller = bareCaller({ accountId: 'acct_1', keyId: 'key_1', userId: null, scopes: [] });
const readiness: ReadinessCheck[] = [];
const degraded: string[] = [];
// Nothing listens there: its errors are those of a Postgres that is down.
const away = openTestDatabase('postgres://x@127.0.0.1:1/x', 1);

const Note = z.object({ id: z.string(), text: z.string() });
const place = {
  service: 'content',
  auth: 'key',
  scopes: [],
  summary: '',
  description: '',
  example: {},
  errors: [],
} as const;
const routeOf = <const R extends RouteContract>(route: R): R => route;
const createNote = routeOf({
  ...place,
  id: 'createNote',
  method: 'POST',
  path: '/notes',
  body: body({ text: filledText(20), size: integer(1, 9).optional() }),
  status: 201,
  response: single(Note),
  idempotency: 'required',
});
const getNote = routeOf({
  ...place,
  id: 'getNote',
  method: 'GET',
  path: '/notes/{id}',
  params: z.object({ id: idText() }),
  query: body({ limit: idText().optional() }),
  status: 200,
  response: single(Note),
});
const touchNote = routeOf({
  ...place,
  id: 'touchNote',
  method: 'POST',
  path: '/notes/{id}/touch',
  params: z.object({ id: idText() }),
  body: body({ size: integer(1, 9).optional() }),
  bodyOptional: true,
  status: 200,
  response: single(Note),
});
const unbuilt = routeOf({ ...place, id: 'unbuilt', method: 'POST', path: '/unbuilt', status: 200 });
const openRoute = routeOf({
  ...getNote,
  auth: 'none',
  id: 'openNote',
  path: '/open/{id}',
});
const countNotes = {
  method: 'POST' as const,
  path: '/internal/notes/{id}/count',
  service: 'content' as const,
  callers: ['automation'] as const,
  body: z.object({}),
  response: z.object({ count: z.int() }),
};

const answers: Record<string, () => unknown> = {
  stored: () => ({ data: { id: 'stored', text: 'a', accountId: 'acct_1', sealedToken: 'hidden' } }),
  broken: () => ({ data: { id: 'broken' } }),
  fault: () => {
    throw new Error('hidden: select * from notes');
  },
  database: () => away.query('select 1'),
  missing: () => {
    throw notFound('note');
  },
};

let app: FastifyInstance;

beforeAll(async () => {
  const verifyCall = createCallVerifier(Object.values(ring), 'content');
  app = createServiceServer({ log, verifyCall, readiness, degraded: () => degraded });
  addRoute(app, createNote, async ({ body: { text }, idempotencyKey }) => ({
    data: { id: idempotencyKey ?? 'none', text },
  }));
  addRoute(
    app,
    getNote,
    async ({ params }) => (await answers[params.id]?.()) as { data: z.input<typeof Note> },
  );
  addRoute(app, touchNote, async ({ params, body: { size } }) => ({
    data: { id: params.id, text: String(size) },
  }));
  addRoute(app, openRoute, async ({ params, caller: asker }) => ({
    data: { id: params.id, text: asker?.accountId ?? 'nobody' },
  }));
  addUnbuiltRoute(app, unbuilt);
  addInternalRoute(app, countNotes, async ({ call }) => ({ count: call.caller ? 1 : 0, hidden: 'x' }));
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await away.close();
});

type Asked = {
  sender?: ServiceName;
  caller?: Caller | null;
  headers?: Record<string, string>;
  payload?: unknown;
  unsigned?: true;
  /** The body that is signed; absent: the payload. */
  signed?: string | null;
  requestId?: string;
  /** Headers of a signature that was captured before. */
  captured?: Record<string, string | undefined>;
};

async function ask(method: 'GET' | 'POST' | 'DELETE', path: string, asked: Asked = {}) {
  const { sender = 'gateway', payload, requestId = newId('req') } = asked;
  const sign = createCallSigner([ring[sender as keyof typeof ring]]);
  const sent = payload === undefined || typeof payload === 'string' || Buffer.isBuffer(payload);
  const bytes = sent ? payload : JSON.stringify(payload);
  const { signed: body = bytes ?? null, caller: asker = caller } = asked;
  const call = { sender, audience: 'content' as const, method, path, requestId, caller: asker, body };
  const signed = asked.captured ?? sign(call);
  const response = await app.inject({
    ...{ method, url: path },
    headers: {
      ...(asked.unsigned ? {} : signed),
      ...(bytes === undefined ? {} : { 'content-type': 'application/json' }),
      ...asked.headers,
    },
    ...(bytes === undefined ? {} : { payload: bytes }),
  });
  const parsed = response.body === '' ? undefined : response.json();
  return {
    signed,
    status: response.statusCode,
    body: parsed,
    text: response.body,
    headers: response.headers,
  };
}

/** An error answer: the envelope and nothing else. */
async function refused(method: 'GET' | 'POST' | 'DELETE', path: string, asked: Asked = {}) {
  const answer = await ask(method, path, asked);
  expect(Object.keys(answer.body)).toEqual(['error']);
  expect(ErrorEnvelope.strict().safeParse(answer.body).success).toBe(true);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  const { code, message, requestId } = answer.body.error;
  return { status: answer.status, code, message, requestId, headers: answer.headers };
}

const keyed = { 'idempotency-key': 'k' };
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('a service server', () => {
  it('404 not_found in the envelope for an unknown path, under the request id of the call', async () => {
    const answer = await refused('GET', '/v1/nowhere', { requestId: 'req_signed' });
    expect(answer).toMatchObject({ status: 404, code: 'not_found', requestId: 'req_signed' });
  });

  it('401 for every path without a signed call, those that do not exist too', async () => {
    for (const path of ['/v1/notes/stored', '/v1/nowhere', '/internal/notes/a/count']) {
      const answer = await refused('GET', path, { unsigned: true });
      expect(answer).toMatchObject({ status: 401, code: 'unauthorized' });
      expect(answer.requestId).toMatch(/^req_/);
    }
  });

  it('401 for a public route that another service calls, and for a call without a caller', async () => {
    expect(await refused('GET', '/v1/notes/stored', { sender: 'automation' })).toMatchObject({ status: 401 });
    expect(await refused('GET', '/v1/notes/stored', { caller: null })).toMatchObject({ status: 401 });
    expect((await ask('GET', '/v1/open/a', { caller: null })).body.data.text).toBe('nobody');
  });

  it.each([
    ['another body', '{"text":"a"}', '{"text":"b"}'],
    ['a body where none was signed', null, '{"text":"a"}'],
    ['no body where one was signed', '{"text":"a"}', undefined],
  ])('401 for a signed call with %s', async (_, signed, payload) => {
    const answer = await refused('POST', '/v1/notes', { headers: keyed, signed, payload });
    expect(answer).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('answers a call whose body was signed', async () => {
    const payload = '{"text":"a"}';
    expect(await ask('POST', '/v1/notes', { headers: keyed, signed: payload, payload })).toMatchObject({
      status: 201,
    });
  });

  it('401 for a call that changes something and was made before; a read may be repeated', async () => {
    const payload = '{"text":"a"}';
    const { signed } = await ask('POST', '/v1/notes', { headers: keyed, signed: payload, payload });
    const again = { headers: { 'idempotency-key': 'other' }, captured: signed, payload };
    const answer = await refused('POST', '/v1/notes', again);
    expect(answer).toMatchObject({
      status: 401,
      code: 'unauthorized',
      message: 'This call was made before.',
    });
    // The same signature in other characters.
    const respelled = { [callerHeader]: `${signed[callerHeader]}==` };
    expect(await refused('POST', '/v1/notes', { ...again, captured: respelled })).toMatchObject({
      status: 401,
    });
    const read = await ask('GET', '/v1/notes/stored');
    expect((await ask('GET', '/v1/notes/stored', { captured: read.signed })).status).toBe(200);
  });

  it('refuses an upload whose client hangs up, before or after its end is awaited', async () => {
    const raw = new PassThrough();
    const call = { signed: { bodyDigest: 'a' } };
    const requireSealed = requireSealedUpload({ call, raw } as unknown as FastifyRequest);
    raw.destroy(new Error('hung up'));
    // Past the moment at which Node reports a rejection that nobody handles, which fails the run.
    await new Promise(setImmediate);
    await expect(requireSealed()).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('401 for an internal route that its caller is not named for', async () => {
    const path = '/internal/notes/a/count';
    expect(await refused('POST', path, { payload: {} })).toMatchObject({ status: 401 });
    const answer = await ask('POST', path, { sender: 'automation', payload: {} });
    expect(answer).toMatchObject({ status: 200, body: { count: 1 } });
    expect(answer.text).not.toContain('hidden');
  });

  it.each([
    ['400 malformed JSON', 400, '{"text":', {}, 'The body must be valid JSON.'],
    [
      '400 bytes that are no UTF-8',
      400,
      Buffer.from('{"text":"caf\xe9"}', 'latin1'),
      {},
      'The body must be valid JSON in UTF-8.',
    ],
    ['400 nesting of 33', 400, nested(33), {}, 'The body must not nest deeper than 32 levels.'],
    ['400 100,000 brackets', 400, nested(100_000), {}, 'The body must not nest deeper than 32 levels.'],
    ['400 nesting of 32 is read, and then no object', 400, nested(32), {}, 'body must be a JSON object'],
    [
      '400 brackets in a text are no nesting',
      400,
      JSON.stringify([nested(99)]),
      {},
      'body must be a JSON object',
    ],
    [
      '413 a body over 256 KB',
      413,
      JSON.stringify({ text: 'x'.repeat(262_144) }),
      {},
      'The body must be at most 262144 bytes.',
    ],
    [
      '415 another content type',
      415,
      'text=a',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'The content type must be application/json.',
    ],
    ['400 no body', 400, undefined, {}, 'body must be a JSON object'],
    ['400 an unknown field', 400, '{"text":"a","siz":1}', {}, 'siz is not a known field; did you mean size?'],
  ])('invalid_request: %s', async (_, status, payload, headers, message) => {
    const answer = await refused('POST', '/v1/notes', { payload, headers: { ...keyed, ...headers } });
    expect(answer).toMatchObject({ status, code: 'invalid_request', message });
  });

  it('an optional body may be missing, but `null` is not an object', async () => {
    expect(await ask('POST', '/v1/notes/a/touch')).toMatchObject({
      status: 200,
      body: { data: { id: 'a' } },
    });
    expect(await refused('POST', '/v1/notes/a/touch', { payload: 'null' })).toMatchObject({
      status: 400,
      message: 'body must be a JSON object',
    });
  });

  it('400 for an unknown query parameter and a path that is too long', async () => {
    expect(await refused('GET', '/v1/notes/a?limits=1')).toMatchObject({
      message: 'limits is not a known field; did you mean limit?',
    });
    expect(await refused('GET', `/v1/notes/${'a'.repeat(65)}`)).toMatchObject({
      status: 400,
      message: 'id must be a text of 1 to 64 characters',
    });
    expect(await refused('GET', '/v1/notes/%00')).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(await refused('GET', '/v1/notes/%zz')).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  it('logs a refusal of its own without a stack, once a second, and an outage with its cause', async () => {
    const lines: Record<string, unknown>[] = [];
    const write = (line: string): void => void lines.push(JSON.parse(line));
    const app = createBareServer(
      createLogger({ service: 'test', level: 'info', destination: { write } }),
      {},
    );
    installErrorEnvelope(app, createLogger({ service: 'test', level: 'info', destination: { write } }));
    app.get('/full', () => {
      throw new ApiError('service_unavailable', 'Too many at once.');
    });
    app.get('/away', () => {
      throw new ApiError('service_unavailable', 'It is away.', { cause: new Error('refused') });
    });
    for (let nth = 0; nth < 20; nth += 1) expect((await app.inject('/full')).statusCode).toBe(503);
    expect((await app.inject('/away')).statusCode).toBe(503);
    const told = lines.filter(line => line.msg !== 'request');
    expect(told).toMatchObject([
      { msg: 'requests were refused with 503', reason: 'Too many at once.' },
      { msg: 'request failed', err: expect.objectContaining({ message: 'refused' }) },
    ]);
    expect(told[0]).not.toHaveProperty('err');
    await app.close();
  });

  it('leaves out what the contract does not name', async () => {
    const answer = await ask('GET', '/v1/notes/stored');
    expect(answer).toMatchObject({ status: 200, body: { data: { id: 'stored', text: 'a' } } });
    expect(answer.text).toBe('{"data":{"id":"stored","text":"a"}}');
  });

  it.each([
    ['500 internal_error for an answer that breaks its contract', 'broken', 500, 'internal_error'],
    ['500 internal_error for a fault of ours', 'fault', 500, 'internal_error'],
    ['502 db_error when Postgres is away', 'database', 502, 'db_error'],
    ['404 as the handler says it', 'missing', 404, 'not_found'],
  ])('%s, nothing internal in it', async (_, id, status, code) => {
    const answer = await refused('GET', `/v1/notes/${id}`);
    expect(answer).toMatchObject({ status, code });
    expect(answer.message).not.toMatch(/hidden|select|ECONN|127\.0|expected/);
  });

  it('501 not_implemented for a route that is not built', async () => {
    expect(await refused('POST', '/v1/unbuilt')).toMatchObject({ status: 501, code: 'not_implemented' });
  });
});

describe('Idempotency-Key', () => {
  const send = (headers: Record<string, string>) => ({ payload: { text: 'a' }, headers });

  it('400 missing_idempotency_key without one, before anything is said of the body', async () => {
    for (const headers of [{}, { 'idempotency-key': '  ' }]) {
      const answer = await refused('POST', '/v1/notes', { payload: { wrong: 1 }, headers });
      expect(answer).toMatchObject({ status: 400, code: 'missing_idempotency_key' });
    }
  });

  it('400 for an empty one where it is honoured: its sender believes that a repeat is safe', () => {
    const read = (headers: Record<string, string>) =>
      readIdempotencyKey({ headers } as unknown as FastifyRequest, 'honoured');
    expect(read({})).toBeNull();
    for (const value of ['', '  ']) {
      expect(() => read({ 'idempotency-key': value })).toThrow(/^Idempotency-Key must be /);
    }
  });

  it('is the same value with quotes and without', async () => {
    for (const value of ['k 1', '"k 1"', '  k 1 ']) {
      const answer = await ask('POST', '/v1/notes', send({ 'idempotency-key': value }));
      expect(answer.body.data.id).toBe('k 1');
    }
  });

  it('400 over 255 characters and for anything but printable ASCII', async () => {
    const longest = await ask('POST', '/v1/notes', send({ 'idempotency-key': 'k'.repeat(255) }));
    expect(longest.status).toBe(201);
    const quoted = await ask('POST', '/v1/notes', send({ 'idempotency-key': `"${'k'.repeat(255)}"` }));
    expect(quoted.status).toBe(201);
    for (const value of ['k'.repeat(256), '""', '"', '"half', 'caf\u00e9', 'a\tb']) {
      const answer = await refused('POST', '/v1/notes', send({ 'idempotency-key': value }));
      expect(answer).toMatchObject({ status: 400, code: 'invalid_request' });
      expect(answer.message).toMatch(/^Idempotency-Key must be /);
    }
  });
});

describe('health', () => {
  it('is not sampled for traces, whatever the prober sends', () => {
    const headers = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
    const parent = (url: string) =>
      trace.getSpanContext(parentOf({ headers, routeOptions: { url } } as unknown as FastifyRequest));
    expect(parent('/readyz')?.traceFlags).toBe(TraceFlags.NONE);
    expect(parent('/v1/notes')?.traceFlags).not.toBe(TraceFlags.NONE);
  });

  it('/livez answers whatever is down; /readyz names it and says when to ask again', async () => {
    expect((await ask('GET', '/readyz', { unsigned: true })).status).toBe(200);
    readiness.push(
      { name: 'database', check: async () => true },
      { name: 'bus', check: () => Promise.reject(new Error('away')) },
      { name: 'cache', check: async () => false },
    );
    expect(await refused('GET', '/readyz', { unsigned: true })).toMatchObject({
      status: 503,
      code: 'service_unavailable',
      message: 'Not ready: bus, cache.',
      headers: { 'retry-after': '1' },
    });
    expect((await ask('GET', '/livez', { unsigned: true })).status).toBe(200);
    readiness.length = 0;
  });

  it('what is degraded is named in the 200 and takes nothing out of the rotation', async () => {
    const before = await ask('GET', '/readyz', { unsigned: true });
    expect(before.body).toEqual({ data: { status: 'ready' } });
    degraded.push('bus');
    const answer = await ask('GET', '/readyz', { unsigned: true });
    degraded.length = 0;
    expect([answer.status, answer.body]).toEqual([200, { data: { status: 'ready', degraded: ['bus'] } }]);
  });

  it('a check that never answers counts as away after a second', async () => {
    readiness.push({ name: 'database', check: () => new Promise(() => {}) });
    expect(await refused('GET', '/readyz', { unsigned: true })).toMatchObject({ status: 503 });
    readiness.length = 0;
  });
});
