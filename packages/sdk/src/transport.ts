/** Requests, their retries and what is made of the answers. */
import { HooklineError } from './errors.ts';
import { type Page, Pages } from './pages.ts';

export type CallOptions = {
  /** Ends the call, its retries included. */
  signal?: AbortSignal | undefined;
  /** One attempt may take so many milliseconds. */
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
};

export type WriteOptions = CallOptions & {
  /** Default: a new one for each call. All attempts of a call carry the same. */
  idempotencyKey?: string | undefined;
};

export type TransportSettings = {
  baseUrl: string;
  /** Sent as bearer token, read at each attempt. */
  token: () => string | undefined;
  maxRetries: number;
  timeoutMs: number;
  fetch: typeof globalThis.fetch;
  headers: Readonly<Record<string, string>>;
};

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Request = {
  body?: unknown;
  query?: Readonly<Record<string, unknown>>;
  file?: Blob | Uint8Array;
  takesKey?: boolean;
};
type Attempt = { method: Method; url: string; headers: Record<string, string>; body?: string | FormData };
export type Envelope = {
  data?: unknown;
  nextCursor?: string | null;
  error?: { code?: unknown; message?: unknown; requestId?: unknown; param?: unknown };
};

/** Longer waits are left to the caller: the windows of the limits last 60 s. */
const longestWaitSeconds = 60;
const firstBackoffMs = 500;
const longestBackoffMs = 8_000;

export class Transport {
  readonly #settings: TransportSettings;

  constructor(settings: TransportSettings) {
    this.#settings = settings;
  }

  /** The record of the answer, without its envelope. @throws HooklineError */
  async send<T>(method: Method, path: string, request: Request, options: WriteOptions): Promise<T> {
    const envelope = await this.exchange(method, path, request, options);
    return envelope.data as T;
  }

  list<T>(path: string, query: object, cursorName: 'cursor' | 'after', options: CallOptions): Pages<T> {
    const load = async (asked: object): Promise<Page<T>> => {
      const answer = await this.exchange('GET', path, { query: asked as Record<string, unknown> }, options);
      return answer as unknown as Page<T>;
    };
    return new Pages(load, query, cursorName);
  }

  /** The whole envelope. @throws HooklineError */
  async exchange(method: Method, path: string, request: Request, options: WriteOptions): Promise<Envelope> {
    const { maxRetries = this.#settings.maxRetries, signal } = options;
    const key = request.takesKey ? (options.idempotencyKey ?? newKey()) : undefined;
    const attempt = attemptOf(method, this.#settings.baseUrl + path, request);
    if (key !== undefined) attempt.headers['idempotency-key'] = key;
    let isLost = false;
    for (let retries = 0; ; retries += 1) {
      signal?.throwIfAborted();
      try {
        return await this.#attempt(attempt, options);
      } catch (error) {
        if (!(error instanceof HooklineError)) throw error;
        isLost ||= method !== 'GET' && mayHaveArrived(error);
        if (retries >= maxRetries || !isSafeToRepeat(error, method, key !== undefined)) {
          if (isLost) error.message += ' It may have been carried out: look before you repeat it.';
          throw error;
        }
        await sleep(waitMs(error, retries), signal);
      }
    }
  }

  async #attempt({ method, url, headers, body }: Attempt, options: CallOptions): Promise<Envelope> {
    const { timeoutMs = this.#settings.timeoutMs, signal } = options;
    const { fetch } = this.#settings;
    const token = this.#settings.token();
    const sent = {
      accept: 'application/json',
      ...this.#settings.headers,
      ...headers,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    refuseUnsendable(sent);
    const ender = new AbortController();
    const end = (): void => ender.abort(signal?.reason);
    signal?.addEventListener('abort', end, { once: true });
    // Also covers an answer that stops half way.
    const timer = setTimeout(() => ender.abort(), timeoutMs);
    try {
      const response = await fetch(url, {
        method,
        headers: sent,
        // A redirected POST would arrive as a GET.
        redirect: 'manual',
        signal: ender.signal,
        ...(body === undefined ? {} : { body }),
      });
      if (response.ok && isFile(response)) return { data: new Uint8Array(await response.arrayBuffer()) };
      return read(`${method} ${url}`, response, await response.text());
    } catch (error) {
      if (error instanceof HooklineError) throw error;
      signal?.throwIfAborted();
      if (ender.signal.aborted) {
        throw new HooklineError(`${method} ${url} was not answered within ${timeoutMs} ms.`, {
          code: 'timed_out',
          cause: error,
        });
      }
      throw new HooklineError(`${method} ${url} failed: ${reasonOf(error)}.`, {
        code: 'connection_failed',
        cause: error,
      });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    }
  }
}

/** fetch fails like a lost connection, and its message quotes the key. @throws TypeError */
function refuseUnsendable(headers: Record<string, string>): void {
  try {
    new Headers(headers);
  } catch {
    throw new TypeError('The key, the token or a header has a character that no header can carry.');
  }
}

function attemptOf(method: Method, address: string, { body, query = {}, file }: Request): Attempt {
  const asked = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(
    asked.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const url = search === '' ? address : `${address}?${search}`;
  if (file !== undefined) {
    const form = new FormData();
    // Its type is read from its bytes, not from its name.
    form.set('file', file instanceof Blob ? file : new Blob([file as Uint8Array<ArrayBuffer>]), 'file');
    return { method, url, headers: {}, body: form };
  }
  if (body === undefined) return { method, url, headers: {} };
  return { method, url, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

const isFile = ({ headers }: Response): boolean => headers.get('content-type') === 'application/zip';

/** The envelope of an answer. @throws HooklineError for an error, and for an answer of something else */
function read(call: string, response: Response, text: string): Envelope {
  const { status } = response;
  const envelope = parse(text);
  if (response.ok && envelope !== null && 'data' in envelope) return envelope;
  const waits = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAfterSeconds = Number.isFinite(waits) && waits >= 0 ? waits : null;
  const requestId = response.headers.get('x-request-id');
  const error = response.ok ? undefined : envelope?.error;
  if (typeof error?.code === 'string') {
    throw new HooklineError(String(error.message ?? error.code), {
      code: error.code,
      status,
      requestId: typeof error.requestId === 'string' ? error.requestId : requestId,
      param: typeof error.param === 'string' ? error.param : null,
      retryAfterSeconds,
    });
  }
  const type = response.headers.get('content-type')?.split(';')[0] ?? 'an unknown type';
  const kind = response.ok ? 'envelope' : 'error envelope';
  throw new HooklineError(`${call} answered ${status} ${type} with no ${kind}: is the base URL right?`, {
    code: 'no_envelope',
    status,
    requestId,
    retryAfterSeconds,
  });
}

function parse(text: string): Envelope | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Envelope) : null;
  } catch {
    return null;
  }
}

/**
 * A refusal by a limit comes before the request is carried out. `db_error` and `service_unavailable` promise
 * that a repeat is safe. After anything else only a GET, a DELETE and a request with a key may be sent again, also
 * where the API names a time: a 409 while the first request with the key still runs.
 */
function isSafeToRepeat(
  { code, status, retryAfterSeconds }: HooklineError,
  method: Method,
  hasKey: boolean,
): boolean {
  if ((retryAfterSeconds ?? 0) > longestWaitSeconds) return false;
  if (status === 429) return true;
  const isSafe = method === 'GET' || method === 'DELETE' || hasKey;
  if (code === 'db_error' || code === 'service_unavailable')
    return isSafe || method === 'PATCH' || method === 'PUT';
  if (!isSafe) return false;
  if (retryAfterSeconds !== null) return true;
  if (code === 'no_envelope') return status === 500 || status === 502 || status === 503;
  return code === 'internal_error' || code === 'connection_failed' || code === 'timed_out';
}

/** An answer was lost, and nothing shows that the request was not sent. */
function mayHaveArrived({ code, status, cause }: HooklineError): boolean {
  if (code === 'no_envelope') return status !== null && status >= 500;
  if (code !== 'connection_failed') return code === 'timed_out';
  return !/REFUSED|NOTFOUND|EAI_AGAIN|CONNECT_TIMEOUT|CERT|TLS|SSL/i.test(reasonOf(cause));
}

function waitMs({ retryAfterSeconds }: HooklineError, retries: number): number {
  if (retryAfterSeconds !== null) return retryAfterSeconds * 1_000;
  const backoff = Math.min(firstBackoffMs * 2 ** retries, longestBackoffMs);
  return backoff * (0.5 + Math.random() / 2);
}

/** @throws the signal's reason when it ends the wait */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}

/** `crypto.randomUUID` is missing in pages served over http. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}

function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown; message?: unknown } };
  return String(cause?.code ?? cause?.message ?? (error as Error).message).replace(/\.$/, '');
}
