import type { Dispatcher } from 'undici';
import type { z } from 'zod';
import { ApiError, ErrorEnvelope } from '../contracts/index.ts';
import type { InternalRoute } from '../contracts/route.ts';
import type { ServiceName } from '../contracts/scopes.ts';
import { currentContext, currentTraceparent, newId } from '../kernel/index.ts';
import type { Caller, CallSigner } from './caller.ts';
import { readAtMost } from './read-at-most.ts';
import { createUpstream, type Upstream } from './upstream.ts';

export type ServiceClient = {
  /**
   * Calls another service's internal route and returns the response body, validated against the route's
   * schema.
   * @throws ApiError the service's own error; `service_unavailable` when it cannot be reached, answers too
   * late (default 5,000 ms) or without an envelope
   * @param input.address of the client, where the call does what a client asked for
   */
  call<B extends z.ZodType, A extends z.ZodType>(
    route: InternalRoute<B, A>,
    input: {
      body: z.input<B>;
      params?: Record<string, string>;
      caller?: Caller | null;
      timeoutMs?: number;
      address?: string;
    },
  ): Promise<z.output<A>>;
  /**
   * Fetches an image from the content service.
   * @param input.bytesMax longer responses are refused
   * @throws ApiError like `call`
   */
  fetchBytes(path: string, input: { bytesMax: number; caller?: Caller | null }): Promise<Buffer>;
  close(): Promise<void>;
};

export type ServiceClientOptions = {
  sender: ServiceName;
  sign: CallSigner;
  /** Base URLs of the peers that this service calls. */
  peers: Partial<Record<ServiceName, readonly string[]>>;
};

export function createServiceClient({ sender, sign, peers }: ServiceClientOptions): ServiceClient {
  const upstreams = new Map<ServiceName, Upstream>();
  for (const [name, urls] of Object.entries(peers)) {
    upstreams.set(name as ServiceName, createUpstream({ urls, connectionsMax: 16 }));
  }

  async function send<T>(
    service: ServiceName,
    method: string,
    path: string,
    caller: Caller | null,
    body: string | null,
    timeoutMs: number,
    read: (body: Dispatcher.ResponseData['body']) => Promise<T>,
    address: string | null = null,
  ): Promise<Answer<T>> {
    const upstream = upstreams.get(service);
    if (!upstream) throw new Error(`${sender} was given no address of ${service}`);
    const refused = new Set<string>();
    for (let attempt = 1; ; attempt += 1) {
      const requestId = currentContext()?.requestId ?? newId('req');
      const headers: Record<string, string> = {
        ...sign({ sender, audience: service, method, path, requestId, caller, body, address }),
        traceparent: currentTraceparent(),
        'content-type': 'application/json',
      };
      let origin: string | undefined;
      try {
        const picked = await upstream.pick(refused);
        origin = picked.origin;
        const response = await picked.pool.request({
          method: method as 'GET',
          path,
          headers,
          body,
          signal: AbortSignal.timeout(timeoutMs),
        });
        const retryAfterSeconds = Number(response.headers['retry-after']) || undefined;
        return { status: response.statusCode, value: await read(response.body), retryAfterSeconds };
      } catch (error) {
        // Refused before a byte was sent, so another address may be tried. Any other failure may come after
        // the work was done.
        const code = (error as { code?: string }).code;
        const neverSent = code === 'ECONNREFUSED' || code === 'UND_ERR_CONNECT_TIMEOUT';
        if (origin === undefined || !neverSent || attempt >= 3) throw unavailable(service, error);
        refused.add(origin);
      }
    }
  }

  return {
    async call(route, { body, params = {}, caller = null, timeoutMs = 5_000, address }) {
      const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(params[name] ?? ''),
      );
      const answer = await send(
        route.service,
        route.method,
        path,
        caller,
        route.method === 'GET' ? null : JSON.stringify(body),
        timeoutMs,
        stream => stream.text(),
        address,
      );
      const value = parseBody(answer.value);
      if (answer.status < 300) {
        const result = route.response.safeParse(value);
        if (result.success) return result.data;
        throw unavailable(route.service, result.error);
      }
      throw answeredError(route.service, answer, value);
    },
    async fetchBytes(path, { bytesMax, caller = null }) {
      const answer = await send('content', 'GET', path, caller, null, 10_000, stream =>
        readAtMost(stream, bytesMax),
      );
      if (answer.status < 300) return answer.value;
      throw answeredError('content', answer, parseBody(answer.value.toString('utf8')));
    },
    async close() {
      await Promise.all([...upstreams.values()].map(upstream => upstream.close()));
    },
  };
}

type Answer<T> = { status: number; value: T; retryAfterSeconds: number | undefined };

function answeredError(
  service: ServiceName,
  { status, retryAfterSeconds }: Omit<Answer<unknown>, 'value'>,
  value: unknown,
): ApiError {
  const envelope = ErrorEnvelope.safeParse(value);
  if (!envelope.success) return unavailable(service, new Error(`status ${status}, no envelope`));
  const { code, message } = envelope.data.error;
  return new ApiError(code, message, { status, ...(retryAfterSeconds && { retryAfterSeconds }) });
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unavailable(service: ServiceName, cause: unknown): ApiError {
  return new ApiError('service_unavailable', `The ${service} service cannot be reached; try again.`, {
    retryAfterSeconds: 1,
    cause,
  });
}
