/** The two clients: with an API key, and with the session of a person. */

import { HooklineError } from './errors.ts';
import { KeyResources, SessionResources } from './generated/clients.ts';
import { ContentResource, WebhooksResource } from './generated/resources.ts';
import type { Content, CreateContent, HooklineEvent, Job, SignIn } from './generated/types.ts';
import {
  type CallOptions,
  type Envelope,
  type Method,
  sleep,
  Transport,
  type WriteOptions,
} from './transport.ts';
import { type VerifyOptions, verifyWebhook, type WebhookHeaders } from './webhooks.ts';

export type ClientOptions = {
  /** With or without `/api/v1`. Default: `HOOKLINE_BASE_URL`, else `http://localhost:8080`. */
  baseUrl?: string | undefined;
  /** Attempts after the first one. Default 2. */
  maxRetries?: number | undefined;
  /** One attempt may take so long. Default 60,000. */
  timeoutMs?: number | undefined;
  fetch?: typeof globalThis.fetch | undefined;
  /** Added to every request. */
  headers?: Readonly<Record<string, string>> | undefined;
};

export type HooklineOptions = ClientOptions & {
  /** `svc_live_...`. Default: `HOOKLINE_API_KEY`. */
  apiKey?: string | undefined;
};

export type SessionOptions = ClientOptions & {
  /** `sess_...`. Not needed to sign in or up. */
  token?: string | undefined;
};

export type WaitOptions = CallOptions & {
  /** How long to wait in all. Default 120,000. */
  withinMs?: number | undefined;
  /** Between two looks. Default 1,000. */
  everyMs?: number | undefined;
};

/** A longer timer ends at once. */
const longestTimerMs = 2 ** 31 - 1;

/** The API for an API key. Every method needs the scopes that its description names. */
export class Hookline extends KeyResources {
  declare readonly content: ContentCalls;
  declare readonly webhooks: WebhookCalls;
  readonly #transport: Transport;

  /** @throws TypeError without an API key, or with an address that is not http */
  constructor(options: HooklineOptions = {}) {
    const apiKey = options.apiKey ?? environment('HOOKLINE_API_KEY');
    if (!apiKey) throw new TypeError('Pass apiKey, or set HOOKLINE_API_KEY.');
    const transport = transportOf(options, () => apiKey);
    super(transport);
    this.#transport = transport;
    this.content = new ContentCalls(transport, (id, wait) => this.waitFor(id, wait));
    this.webhooks = new WebhookCalls(transport);
  }

  /**
   * Calls a route that this version of the library has no method for, and returns the whole envelope.
   * @param path below the base URL, with its parameters filled in
   * @throws HooklineError
   */
  request(
    method: Method,
    path: string,
    { body, query }: { body?: unknown; query?: Readonly<Record<string, unknown>> | undefined } = {},
    options: WriteOptions = {},
  ): Promise<Envelope> {
    const takesKey = method === 'POST';
    return this.#transport.exchange(method, path, { body, takesKey, ...(query && { query }) }, options);
  }

  /**
   * Waits until a content is `ready` or `failed` and returns it.
   * @param jobId the id of the job, which is that of its content
   * @throws HooklineError `wait_ran_out`
   */
  async waitFor(jobId: string, options: WaitOptions = {}): Promise<Content> {
    const { withinMs = 120_000, everyMs = 1_000, ...call } = options;
    // Also ends a look that is not answered, and its retries.
    const end = AbortSignal.timeout(Math.min(withinMs, longestTimerMs));
    const signal = call.signal ? AbortSignal.any([call.signal, end]) : end;
    let status = 'unknown';
    try {
      while (true) {
        const job = await this.jobs.get(jobId, { ...call, signal });
        if (isFinished(job)) break;
        status = job.status;
        await sleep(everyMs, signal);
      }
    } catch (error) {
      if (error !== end.reason) throw error;
      throw new HooklineError(`${jobId} is still ${status} after ${withinMs} ms.`, { code: 'wait_ran_out' });
    }
    return this.content.get(jobId, call);
  }
}

/** What a person does: members, keys, connecting accounts. An API key opens none of it. */
export class HooklineSession extends SessionResources {
  // Private, so that no log of this object shows it.
  #token: string | undefined;

  constructor(options: SessionOptions = {}) {
    super(transportOf(options, () => this.#token));
    this.#token = options.token;
  }

  /** Sent with every request; set it after a sign-in. */
  get token(): string | undefined {
    return this.#token;
  }

  set token(token: string | undefined) {
    this.#token = token;
  }

  /** Signs in and returns a client with the new session. */
  static async signIn({
    email,
    password,
    recoveryCode,
    ...options
  }: SignIn & ClientOptions): Promise<HooklineSession> {
    const client = new HooklineSession(options);
    const { session } = await client.auth.signIn({ email, password, recoveryCode });
    client.token = session.token;
    return client;
  }
}

export class ContentCalls extends ContentResource {
  readonly #waitFor: (id: string, options: WaitOptions) => Promise<Content>;

  constructor(transport: Transport, waitFor: (id: string, options: WaitOptions) => Promise<Content>) {
    super(transport);
    this.#waitFor = waitFor;
  }

  /** As above; `wait: true` returns only a content that is `ready` or `failed`. */
  override async create(
    body: CreateContent,
    { wait = false, ...options }: WriteOptions & { wait?: boolean | undefined } = {},
  ): Promise<Content> {
    const content = await super.create(body, options);
    if (!wait || isFinished(content)) return content;
    const { idempotencyKey: _, ...call } = options;
    return this.#waitFor(content.id, call);
  }
}

export class WebhookCalls extends WebhooksResource {
  /** `verifyWebhook`, which needs no client. */
  verify(
    body: string | Uint8Array,
    headers: WebhookHeaders,
    secret: string | readonly string[],
    options: VerifyOptions = {},
  ): Promise<HooklineEvent> {
    return verifyWebhook(body, headers, secret, options);
  }
}

function isFinished({ status }: Pick<Job, 'status'>): boolean {
  return status === 'ready' || status === 'failed';
}

function transportOf(options: ClientOptions, token: () => string | undefined): Transport {
  return new Transport({
    baseUrl: apiAddress(options.baseUrl ?? environment('HOOKLINE_BASE_URL') ?? 'http://localhost:8080'),
    token,
    maxRetries: options.maxRetries ?? 2,
    timeoutMs: options.timeoutMs ?? 60_000,
    // A browser's fetch must be called as a function of the window.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    headers: options.headers ?? {},
  });
}

function apiAddress(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`baseUrl must be an http or https address, not "${baseUrl}".`);
  }
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path.endsWith('/api/v1') ? path : `${path}/api/v1`}`;
}

/** Undefined where there is no environment: in a browser, or in Deno without the permission. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  try {
    return process?.env?.[name] || undefined;
  } catch {
    return undefined;
  }
}
