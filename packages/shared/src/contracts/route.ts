import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import type { Role, Scope, ServiceName } from './scopes.ts';

/**
 * One public route: the source of the gateway's table, the services' validation and the OpenAPI document,
 * which therefore cannot differ.
 */
export type RouteContract = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Under `{base_url}`, parameters as `{id}`. */
  path: string;
  service: ServiceName;
  /** `key`: an API key; `session`: a login session; `none`: no credentials. */
  auth: 'key' | 'session' | 'none';
  /** All are required. Empty with `key`: any valid key is accepted. */
  scopes: readonly Scope[];
  /** One of the scopes is enough. */
  anyScope?: true;
  /** Roles whose sessions may call it; absent: every role. For `session` routes. */
  roles?: readonly Role[];
  summary: string;
  /** Adds to the summary: defaults, side effects, effect of a repeat. Markdown. */
  description: string;
  /** A request body and the response to it. Parts of one journey: take ids from `exampleIds`. */
  example: { body?: unknown; response?: unknown };
  /** Each field of `params` and `query` has a description in its `.meta()`. */
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** With `none`: a session that is sent is checked, and the answer to it is a 200. */
  optionalSession?: true;
  /** A missing body is read as `{}`. */
  bodyOptional?: true;
  /**
   * The body is `multipart/form-data` with one field `file` instead of JSON, of at most so many bytes in all.
   */
  upload?: { bytesMax: number };
  status: 200 | 201 | 202;
  /** The status of `?dryRun=true`, which writes nothing. */
  dryRunStatus?: 200;
  /** Absent when the answer is not JSON (the OAuth callback's page, a file). */
  response?: z.ZodType;
  /** The answer is a file of this type. */
  produces?: 'application/zip';
  /** Served while the deletion of the workspace waits, although it changes something. Reads always are. */
  whileFrozen?: true;
  /** Can answer 409 `invalid_request` because of the state of other resources. */
  mayConflict?: true;
  /** Codes in addition to those that every route can return. */
  errors: readonly ErrorCode[];
  /**
   * The answer waits for somebody else's server (a store, a platform, a webhook's receiver, a name server):
   * few of one workspace are in flight at a time. `unlessScheduled`: only while the body has no time, or asks
   * for a direct post, for which the platform says what the account allows. `unlessMoved`: only when the body
   * changes what is posted. `withUrl`: only when the body has a `url`.
   */
  waitsOutside?: 'always' | 'unlessScheduled' | 'unlessMoved' | 'withUrl';
  /** Counts towards the content limit (10 a minute per key, API-8). */
  limit?: 'content';
  /**
   * Effect of an `Idempotency-Key` on a POST. `required`: refused without one; `honoured`: used when sent,
   * the default (D-4); `none`: ignored, so a repeat may act twice. Other methods have no use for it.
   */
  idempotency?: 'required' | 'honoured' | 'none';
};

/** A route by its name, which is the operationId of the OpenAPI document, and stays. */
export type NamedRoute = RouteContract & { id: string };

/** True when a repeat under the same `Idempotency-Key` acts once. */
export function honoursKey({ idempotency }: RouteContract): boolean {
  return idempotency === 'required' || idempotency === 'honoured';
}

const keyValue = '[!#-~](?:[ -~]*[!#-~])?';
/** A valid `Idempotency-Key`: printable ASCII, with or without the quotes of the IETF draft. */
export const idempotencyKeyPattern = `^(?:(${keyValue})|"(${keyValue})")$`;

export function scopesText({ scopes, anyScope }: Pick<RouteContract, 'scopes' | 'anyScope'>): string {
  return scopes.map(scope => `\`${scope}\``).join(anyScope ? ' or ' : ' and ');
}

type Method = RouteContract['method'];
type Defaulted = 'status' | 'errors';
type Definition = Omit<RouteContract, 'method' | 'path' | 'service' | 'auth' | 'scopes' | Defaulted> &
  Partial<Pick<RouteContract, Defaulted>> &
  ({ auth?: 'key'; scopes: readonly Scope[] } | { auth: 'session' | 'none'; scopes?: undefined });

/**
 * Defines the routes of one service. A route with scopes takes a key. Unless it says otherwise, it answers 200,
 * or `not_found` for an id in its path, and honours an `Idempotency-Key` if it is a POST.
 */
function routesOf<const S extends ServiceName>(service: S) {
  return <const M extends Method, const R extends Definition>(
    call: `${M} /${string}`,
    route: R & { example: ExampleOf<R> },
  ) => {
    const [method, path] = call.split(' ') as [M, string];
    const idempotency = method === 'POST' && { idempotency: 'honoured' };
    const errors = path.includes('{') ? ['not_found'] : [];
    const defaults = { auth: 'key', scopes: [], status: 200, errors, ...idempotency };
    const defined: object = { ...defaults, ...route, method, path, service };
    return defined as Defined<S, M, R>;
  };
}

export const analyticsRoute = routesOf('analytics');
export const automationRoute = routesOf('automation');
export const contentRoute = routesOf('content');
export const gatewayRoute = routesOf('gateway');
export const schedulingRoute = routesOf('scheduling');

type Defined<S, M, R> = R &
  Pick<RouteContract, Defaulted | 'scopes'> & {
    auth: R extends { auth: infer A } ? A : 'key';
    method: M;
    path: string;
    service: S;
  };

type ExampleOf<R> = (R extends { body: z.ZodType } ? { body: z.input<R['body']> } : { body?: never }) &
  (R extends { response: z.ZodType } ? { response: z.input<R['response']> } : { response?: never });

type Output<T> = T extends z.ZodType ? z.output<T> : Record<string, never>;

export type ParamsOf<R extends RouteContract> = R extends { params: infer S }
  ? Output<S>
  : Record<string, never>;
export type QueryOf<R extends RouteContract> = R extends { query: infer S }
  ? Output<S>
  : Record<string, never>;
export type BodyOf<R extends RouteContract> = R extends { body: infer S } ? Output<S> : undefined;
export type ResponseOf<R extends RouteContract> = R extends { response: infer S }
  ? S extends z.ZodType
    ? z.input<S>
    : never
  : string;

/** A call between services: path under `/internal`, the services that may make it, its body and answer. */
export type InternalRoute<B extends z.ZodType = z.ZodType, A extends z.ZodType = z.ZodType> = {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  service: ServiceName;
  callers: readonly ServiceName[];
  body: B;
  response: A;
};
