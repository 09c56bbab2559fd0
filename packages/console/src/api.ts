/** The client of `/console/api/v1`: the same routes as the public API, with the session in a cookie. */

const root = '/console/api/v1';
/** Times a request is repeated when the answer says that a repeat is safe, or none came. */
const repeatsMax = 2;
/** A wait that the server asks for is served up to this long; a longer one becomes the error. */
const waitMaxMs = 10_000;
/** A read is given up after this long, its repeats included. */
const readMaxMs = 30_000;

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** An error envelope, or the lack of an answer (`code` is `offline` then, and there is no request id). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
  /** The path of the field that is wrong. */
  readonly param: string | null;

  constructor(
    message: string,
    given: {
      status: number;
      code: string;
      requestId?: string | null;
      retryAfterMs?: number | null;
      param?: string | undefined;
    },
  ) {
    super(message);
    this.status = given.status;
    this.code = given.code;
    this.requestId = this.status < 500 ? null : (given.requestId ?? null);
    this.retryAfterMs = given.retryAfterMs ?? null;
    this.param = given.param ?? null;
  }
}

export function isApiError(error: unknown, code?: string): error is ApiError {
  return error instanceof ApiError && (code === undefined || error.code === code);
}

type Call = {
  query?: Query | undefined;
  body?: unknown;
  /** Idempotency-Key of a POST; one is made when absent. The same for every repeat of the request. */
  key?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Survives the page: for what must be sent while the person leaves. At most 64 kB. */
  keepalive?: boolean | undefined;
};

let onSignedOut: () => void = () => {};

/** @param listener called when an answer says that the session ended */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

/**
 * 128 random bits. Not `randomUUID`, which a page on plain http, such as a phone's in the
 * same network, does not have.
 */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `console-${Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')}`;
}

export const api = {
  get: <T>(path: string, query?: Query, signal?: AbortSignal) => send<T>('GET', path, { query, signal }),
  post: <T>(path: string, body?: unknown, call: Omit<Call, 'body'> = {}) =>
    send<T>('POST', path, { ...call, body, key: call.key ?? newKey() }),
  patch: <T>(path: string, body: unknown, call: Omit<Call, 'body' | 'key'> = {}) =>
    send<T>('PATCH', path, { ...call, body }),
  put: <T>(path: string, body: unknown) => send<T>('PUT', path, { body }),
  delete: <T>(path: string, body?: unknown) => send<T>('DELETE', path, { body }),
};

async function send<T>(method: string, path: string, given: Call): Promise<T> {
  const signals = [given.signal, method === 'GET' && AbortSignal.timeout(readMaxMs)].filter(
    signal => !!signal,
  );
  const call = { ...given, signal: signals.length > 0 ? AbortSignal.any(signals) : undefined };
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await sendOnce<T>(method, path, call);
    } catch (error) {
      if (!isApiError(error) || attempt >= repeatsMax || !mayRepeat(error, method, call)) throw error;
      const waitMs = error.retryAfterMs ?? 400 * 2 ** attempt;
      if (waitMs > waitMaxMs) throw error;
      await new Promise(resolve => setTimeout(resolve, waitMs));
      if (call.signal?.aborted) throw error;
    }
  }
}

// Every POST of this client carries a key, so a repeat after 503 is safe; 429 is refused before anything is
// done. 502 is the word of a platform: a repeat would be another try there.
function mayRepeat({ status }: ApiError, method: string, call: Call): boolean {
  if (call.keepalive || call.signal?.aborted) return false;
  if (status === 429) return true;
  if (status === 0) return method === 'GET' && navigator.onLine;
  return status === 503 || (status === 502 && method === 'GET');
}

async function sendOnce<T>(method: string, path: string, call: Call): Promise<T> {
  const { body, key, signal, keepalive } = call;
  const headers = new Headers({ accept: 'application/json' });
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers.set('content-type', 'application/json');
  if (method === 'POST' && key !== undefined) headers.set('idempotency-key', key);
  const init: RequestInit = { method, headers, credentials: 'same-origin' };
  if (body !== undefined) init.body = isForm ? body : JSON.stringify(body);
  if (signal) init.signal = signal;
  if (keepalive) init.keepalive = true;

  const target = path + queryText(call.query);
  const asked = method === 'GET' ? await takeEarly(target) : null;
  const response = asked ?? (await fetch(root + target, init).catch(error => lost(error, signal)));
  // A body that is no JSON is an answer; one that broke off is none.
  const answer = await response
    .json()
    .catch(error => (error instanceof SyntaxError ? null : lost(error, signal)));
  if (response.ok && answer !== null) return answer as T;

  const { code, message, requestId, param } =
    (answer as { error?: Record<string, string> } | null)?.error ?? {};
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const error = new ApiError(message ?? `The server answered ${response.status} without a reason.`, {
    status: response.status,
    code: code ?? 'unknown',
    requestId: requestId ?? response.headers.get('x-request-id'),
    retryAfterMs: Number.isNaN(retryAfter) ? null : retryAfter * 1_000,
    param,
  });
  if (error.status === 401 && !path.startsWith('/auth/sign-')) onSignedOut();
  throw error;
}

// A script that comes later than this code finds it and asks for nothing: its answers would wait until they are old.
const page = globalThis as { early?: Map<string, Promise<Response | null>> };
page.early ??= new Map();
const { early } = page;

/** What `early.js` asked for before this code was there. Each answer is taken once. */
function takeEarly(target: string): Promise<Response | null> | null {
  const asked = early.get(target) ?? null;
  early.delete(target);
  return asked;
}

/** A body that its time limit breaks off is named like one that somebody cancelled; the signal tells them apart. */
function lost(error: Error, signal: AbortSignal | undefined): never {
  if (signal?.reason?.name === 'AbortError') throw error;
  throw new ApiError(offlineMessage, { status: 0, code: 'offline' });
}

export const offlineMessage =
  'Hookline cannot be reached. Nothing is lost: check the connection and try again.';

function queryText(query: Query | undefined): string {
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null);
  if (pairs.length === 0) return '';
  return `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`;
}

/**
 * The same link on this origin: the CSP loads pictures from here only, whatever name the server was given.
 */
export function ownOrigin(url: string): string {
  const { pathname, search } = new URL(url, location.origin);
  return pathname + search;
}
