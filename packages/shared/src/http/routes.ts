/**
 * Connects a route contract with its handler: validates the request and strips unknown fields from the
 * response.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { ApiError, invalidRequest } from '../contracts/index.ts';
import {
  type BodyOf,
  honoursKey,
  type InternalRoute,
  idempotencyKeyPattern,
  type ParamsOf,
  type QueryOf,
  type ResponseOf,
  type RouteContract,
} from '../contracts/route.ts';
import { type Checker, checker } from '../kernel/index.ts';
import { toWriteError } from './api-error.ts';
import type { Caller, VerifiedCall } from './caller.ts';
import { nullDropper } from './drop-nulls.ts';
import { requestContextOf } from './request-context.ts';

/** An answer whose bytes are already fixed: a replayed reply, a page, an image. */
export class RawAnswer {
  readonly status: number;
  readonly body: string | Buffer | NodeJS.ReadableStream;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, body: RawAnswer['body'], headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

export const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' };

export type RouteInput<R extends RouteContract> = {
  params: ParamsOf<R>;
  query: QueryOf<R>;
  body: BodyOf<R>;
  requestId: string;
  /** The unquoted `Idempotency-Key`; null only where the contract does not require one. */
  idempotencyKey: R extends { idempotency: 'required' } ? string : string | null;
  request: FastifyRequest;
} & (R extends { auth: 'none' } ? { caller: Caller | null } : { caller: Caller });

export type RouteHandler<R extends RouteContract> = (
  input: RouteInput<R>,
) => Promise<ResponseOf<R> | RawAnswer>;

/**
 * Registers a public route under `/v1`. Only the gateway may call it. The response is validated against the
 * contract: fields that it does not declare never leave the process.
 */
export function addRoute<const R extends RouteContract>(
  app: FastifyInstance,
  contract: R,
  handler: RouteHandler<R>,
  prefix = '/v1',
): void {
  const read = inputReader(contract);
  const write = answerWriter(contract);
  app.route({
    method: contract.method,
    url: prefix + fastifyPath(contract.path),
    ...(contract.upload ? { bodyLimit: contract.upload.bytesMax } : {}),
    handler: async (request, reply) => {
      const call = callOf(request, contract);
      const input = { ...read(request), caller: call?.caller ?? null, requestId: request.id, request };
      const answer =
        contract.method === 'GET'
          ? await handler(input as RouteInput<R>)
          : await handler(input as RouteInput<R>).catch(error => {
              throw asWriteError(error, contract, input.idempotencyKey, request);
            });
      return send(reply, contract.status, answer, write);
    },
  });
}

function asWriteError(error: unknown, contract: RouteContract, key: string | null, request: FastifyRequest) {
  const { method } = contract;
  const asked = { method, honoursKey: honoursKey(contract), hasKey: key !== null };
  return toWriteError(error, asked, requestContextOf(request)?.hasCommitted === true);
}

/** A route of the contracts that is not implemented yet: 501 `not_implemented`, after the key check. */
export function addUnbuiltRoute(app: FastifyInstance, contract: RouteContract): void {
  app.route({
    method: contract.method,
    url: `/v1${fastifyPath(contract.path)}`,
    handler: async () => {
      throw new ApiError('not_implemented');
    },
  });
}

/** The text of an answer as the route would send it, stored in idempotency records. */
export function answerText<R extends RouteContract>(contract: R, answer: ResponseOf<R>): string {
  return answerWriter(contract)(answer);
}

/**
 * Registers a route for the services that its contract names as callers. A handler that returns bytes returns
 * a `RawAnswer`; its contract's response is `z.never()`.
 */
export function addInternalRoute<B extends z.ZodType, A extends z.ZodType>(
  app: FastifyInstance,
  route: InternalRoute<B, A>,
  handler: (input: {
    body: z.output<B>;
    params: Record<string, string>;
    call: VerifiedCall;
  }) => Promise<z.input<A> | RawAnswer>,
): void {
  const readBody = checker(route.body, 'body');
  const writeBody = checker(route.response, 'response');
  app.route({
    method: route.method,
    url: fastifyPath(route.path),
    handler: async (request, reply) => {
      const call = request.call;
      if (!call || !route.callers.includes(call.sender)) throw new ApiError('unauthorized');
      const body = readBody(request.body ?? {});
      const answer = await handler({ body, params: request.params as Record<string, string>, call });
      return send(reply, 200, answer, value => JSON.stringify(writeBody(value)));
    },
  });
}

function callOf(request: FastifyRequest, contract: RouteContract): VerifiedCall | null {
  const call = request.call;
  if (call?.sender !== 'gateway') throw new ApiError('unauthorized');
  if (!call.caller && contract.auth !== 'none') throw new ApiError('unauthorized');
  return call;
}

function inputReader(contract: RouteContract) {
  const params = contract.params && checker(contract.params, 'path');
  const query = contract.query && checker(contract.query, 'query');
  const body = contract.body && checker(contract.body, 'body');
  const dropNulls = contract.body && contract.method === 'POST' ? nullDropper(contract.body) : null;
  return (request: FastifyRequest) => ({
    // Checked first: a missing key has its own error code.
    idempotencyKey: readKeyOf(contract, request),
    params: params ? params(request.params) : {},
    query: query ? query(request.query) : noQuery(contract, request.query),
    // An upload was read before: its digest stands for it, so that a repeat can be compared.
    body: body ? body(given(request)) : contract.upload ? request.body : noBody(contract, request.body),
  });

  function given(request: FastifyRequest): unknown {
    if (contract.bodyOptional && request.body === undefined) return {};
    dropNulls?.(request.body);
    return request.body;
  }
}

/** A field that nobody reads would be lost silently. @throws ApiError `invalid_request` */
function noBody({ method, path }: RouteContract, body: unknown): undefined {
  if (method === 'GET' || body === undefined || body === null) return;
  const fields = Object.keys(body);
  if (typeof body === 'object' && fields.length === 0) return;
  const named = Array.isArray(body) || typeof body !== 'object' ? 'body' : fields[0];
  throw invalidRequest(`${named} must be left out: ${method} ${path} takes no body`);
}

/** One that nobody reads is refused (D-48): `?dryRun=true` would write. @throws ApiError `invalid_request` */
function noQuery({ method, path }: RouteContract, query: unknown): object {
  const [named] = Object.keys(query ?? {});
  if (named === undefined) return {};
  throw invalidRequest(`${named} must be left out: ${method} ${path} takes no query`);
}

function readKeyOf({ idempotency }: RouteContract, request: FastifyRequest): string | null {
  if (idempotency === undefined || idempotency === 'none') return null;
  return readIdempotencyKey(request, idempotency);
}

const idempotencyKey = new RegExp(idempotencyKeyPattern);

/**
 * The quoted form has the same value. @throws ApiError `missing_idempotency_key`; `invalid_request` for an
 * invalid key
 */
export function readIdempotencyKey(request: FastifyRequest, rule: 'required' | 'honoured'): string | null {
  const header = request.headers['idempotency-key'];
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!text) {
    if (rule === 'required') throw new ApiError('missing_idempotency_key');
    // An empty one is refused: its sender believes that a repeat is safe.
    if (header !== undefined) throw invalidKey();
    return null;
  }
  const [, plain, quoted] = idempotencyKey.exec(text) ?? [];
  const value = plain ?? quoted;
  if (value === undefined || value.length > 255) throw invalidKey();
  return value;
}

function invalidKey(): ApiError {
  return invalidRequest('Idempotency-Key must be a text of 1 to 255 printable ASCII characters.');
}

function answerWriter(contract: RouteContract): (answer: unknown) => string {
  if (!contract.response) return String;
  const known = writers.get(contract);
  if (known) return known;
  const check: Checker<unknown> = checker(contract.response, 'response');
  const write = (answer: unknown): string => {
    try {
      return JSON.stringify(check(answer));
    } catch (error) {
      // A breach of our own contract is our fault, never the caller's.
      throw new ApiError('internal_error', undefined, { cause: error });
    }
  };
  writers.set(contract, write);
  return write;
}

const writers = new WeakMap<RouteContract, (answer: unknown) => string>();

function send(reply: FastifyReply, status: number, answer: unknown, write: (answer: unknown) => string) {
  if (answer instanceof RawAnswer) return reply.code(answer.status).headers(answer.headers).send(answer.body);
  return reply.code(status).headers(jsonHeaders).send(write(answer));
}

function fastifyPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}
