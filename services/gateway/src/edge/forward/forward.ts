/** Signs a request, forwards it to the service that owns it, and passes the answer back. */
import { ApiError, answerLost } from '@hookline/shared/contracts';
import { honoursKey } from '@hookline/shared/contracts/route';
import type { ServiceName } from '@hookline/shared/contracts/scopes';
import { type CallSigner, createUpstream, type Upstream } from '@hookline/shared/http';
import {
  type Breaker,
  createBreaker,
  createFairQueue,
  currentTraceparent,
  type FairQueue,
  type Logger,
  type QueuedRequest,
  QueueFullError,
} from '@hookline/shared/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dispatcher } from 'undici';
import { ownersPath, type PublicRoute } from '../../public-api.ts';
import type { ClientAddress } from '../limits/client-address.ts';
import { passAnswer, UpstreamFailure } from './answer.ts';
import { type AnswerHeaders, requestHeaders } from './headers.ts';
import { createSlowReaders, type SlowReaders, slowReadersMax } from './slow-readers.ts';
import { waitsOutside } from './waits-outside.ts';

export type Forwarder = {
  /**
   * Writes the owner's answer to `reply`.
   * @throws ApiError if nothing was written yet: `service_unavailable` when the owner was not reached. When
   * its answer was lost, late or not an envelope: `outcome_unknown` for a POST that is not safe to repeat,
   * otherwise `service_unavailable`.
   * @param recheck called for a request that has waited; a rejection is the answer
   */
  forward(
    route: PublicRoute,
    request: FastifyRequest,
    reply: FastifyReply,
    recheck: (request: FastifyRequest, reply: FastifyReply) => Promise<void> | null,
  ): Promise<void>;
  close(): Promise<void>;
};

export type ForwarderOptions = {
  urls: Partial<Record<ServiceName, readonly string[]>>;
  sign: CallSigner;
  clientAddress: ClientAddress;
  log: Logger;
  /** True once the gateway is being stopped: answers then close their connection. */
  isStopping: () => boolean;
  /** Requests of one workspace in flight that wait for the outside. */
  slowMax: number;
  generationMs: number;
};

type Owner = {
  name: ServiceName;
  upstream: Upstream;
  breaker: Breaker;
  queue: FairQueue;
  slowReaders: SlowReaders;
};

// Longer than the slowest valid answer: a repeat waits up to 10 s for the first one (D-5).
const headersTimeoutMs = 15_000;
/** Beyond the generation, for the transactions around it. */
const generationMarginMs = 7_000;
/**
 * Requests in flight to an owner, times the number of its addresses; those with a slow reader do not count.
 */
const slotsMax = 64;
// Each has one request at a time.
const connectionsMax = slotsMax + slowReadersMax;
/** A text model may take half a minute: with a slot for each such request, reads would wait for them. */
const slowShare = 0.75;
const attemptsMax = 3;
/** Their answers wait for a text model. */
const writing = new Set(['createContent', 'setTextModel', 'testTextModel']);

export function createForwarder(options: ForwarderOptions): Forwarder {
  const { log, clientAddress, isStopping, generationMs } = options;
  const owners = createOwners(options);

  async function send(
    owner: Owner,
    route: PublicRoute,
    request: FastifyRequest,
    reply: FastifyReply,
    onSlowReader: () => void,
  ) {
    const refused = new Set<string>();
    const dispatch = dispatchOptions(owner.name, request, options);
    if (writing.has(route.contract?.id ?? '')) {
      dispatch.headersTimeout = Math.max(headersTimeoutMs, generationMs + generationMarginMs);
    }
    // A raw answer must copy what is already set on the reply (request id, caching).
    const own = reply.getHeaders() as AnswerHeaders;
    const isHead = request.method === 'HEAD';
    for (let attempt = 1; ; attempt += 1) {
      const { origin, pool } = await pick(owner, refused);
      try {
        return await passAnswer(pool, dispatch, reply.raw, {
          own,
          answers: route.answers,
          isLetIn: route.auth !== 'none',
          isHead,
          isStopping,
          onSlowReader,
        });
      } catch (error) {
        const failure = error as UpstreamFailure;
        if (attempt >= attemptsMax || !mayRepeat(failure, request.method, attempt)) throw failure;
        if (failure.kind === 'never_sent') refused.add(origin);
      }
    }
  }

  return {
    async forward(route, request, reply, recheck) {
      const owner = owners.get(route.service);
      if (!owner) throw new Error(`the gateway was given no address of ${route.service}`);
      // Refused at once, while those in flight may hold every slot until they time out.
      if (owner.breaker.isOpen(performance.now())) throw unavailable(owner.name);
      const place = placeOf(route, request, reply);
      const slot = enterQueue(owner, place);
      if (slot) await slot;
      let leave = (): void => owner.queue.leave(place);
      const onSlowReader = (): void => {
        const reader = request.call?.caller?.accountId ?? clientAddress(request);
        leave();
        leave = owner.slowReaders.add(reader, () => reply.raw.destroy());
      };
      try {
        if (slot) await recheck(request, reply);
        if (!owner.breaker.mayCall(performance.now())) throw unavailable(owner.name);
        await send(owner, route, request, reply, onSlowReader);
        owner.breaker.succeeded();
      } catch (error) {
        if (!(error instanceof UpstreamFailure)) throw error;
        settleFailure(owner, error);
        if (!reply.raw.headersSent && !reply.raw.destroyed)
          throw failureAnswer(owner.name, route, request, error);
        if (error.kind !== 'client_gone') {
          log.warn({ owner: owner.name, reason: error.kind }, 'an answer was cut short');
        }
      } finally {
        leave();
      }
    },
    async close() {
      await Promise.all([...owners.values()].map(owner => owner.upstream.close()));
    },
  };
}

function createOwners({ urls, log, slowMax }: ForwarderOptions): Map<ServiceName, Owner> {
  const owners = new Map<ServiceName, Owner>();
  for (const [name, list] of Object.entries(urls) as [ServiceName, readonly string[]][]) {
    const upstream = createUpstream({ urls: list, connectionsMax, headersTimeoutMs });
    const queue = createFairQueue({ slots: () => slotsMax * upstream.addressCount(), slowMax, slowShare });
    const slowReaders = createSlowReaders(() => slowReadersMax * upstream.addressCount(), log);
    owners.set(name, { name, upstream, breaker: createBreaker(), queue, slowReaders });
  }
  return owners;
}

async function pick(owner: Owner, refused: ReadonlySet<string>) {
  try {
    return await owner.upstream.pick(refused);
  } catch (error) {
    throw new UpstreamFailure('never_sent', error);
  }
}

/**
 * @throws ApiError `service_unavailable` when too many requests wait, or rejects with it
 * when it waited too long.
 */
function enterQueue(owner: Owner, place: QueuedRequest): Promise<void> | null {
  const refuse = (error: unknown): never => {
    if (!(error instanceof QueueFullError)) throw error;
    const message = `Too many requests wait for the ${owner.name} service; try again.`;
    throw new ApiError('service_unavailable', message, { retryAfterSeconds: 2, cause: error });
  };
  try {
    return owner.queue.enter(place)?.catch(refuse) ?? null;
  } catch (error) {
    return refuse(error);
  }
}

function placeOf(route: PublicRoute, request: FastifyRequest, reply: FastifyReply): QueuedRequest {
  return {
    // Requests of nobody share by their path: images, the platform's events.
    workspace: request.call?.caller?.accountId ?? route.path,
    isSlow: waitsOutside(route, request.body),
    onGone: callback => reply.raw.once('close', callback),
  };
}

function dispatchOptions(
  audience: ServiceName,
  request: FastifyRequest,
  { sign, clientAddress }: Pick<ForwarderOptions, 'sign' | 'clientAddress'>,
): Dispatcher.DispatchOptions {
  const path = ownersPath(request.url);
  const method = request.method as Dispatcher.HttpMethod;
  const headers = requestHeaders(request.headers);
  const body = Buffer.isBuffer(request.body) && request.body.length > 0 ? request.body : null;
  const { id: requestId, call } = request;
  const sent = { requestId, caller: call?.caller ?? null, body, address: clientAddress(request) };
  Object.assign(headers, sign({ sender: 'gateway', audience, method, path, ...sent }));
  headers.traceparent = currentTraceparent();
  // With a content type, a service rejects an empty body as malformed JSON; without one it reads no body.
  if (!body) delete headers['content-type'];
  return { path, method, headers, body };
}

/**
 * Any method may be repeated if it was not sent or was refused unprocessed. If the answer was lost: a read,
 * once.
 */
function mayRepeat(failure: UpstreamFailure, method: string, attempt: number): boolean {
  if (failure.kind === 'never_sent' || failure.kind === 'not_believed') return true;
  return failure.kind === 'lost' && attempt === 1 && (method === 'GET' || method === 'HEAD');
}

function settleFailure(owner: Owner, failure: UpstreamFailure): void {
  if (failure.kind === 'client_gone') owner.breaker.abandoned();
  else owner.breaker.failed(performance.now());
}

function failureAnswer(
  service: ServiceName,
  route: PublicRoute,
  request: FastifyRequest,
  failure: UpstreamFailure,
): ApiError {
  const { method } = request;
  const isUndone = failure.kind === 'never_sent' || failure.kind === 'not_believed';
  const changesNothing = method === 'GET' || method === 'HEAD' || isDryRun(route, request);
  // Routes without a contract are the platform's events: it repeats them, and duplicates have no effect.
  if (isUndone || changesNothing || !route.contract) return unavailable(service, failure);
  const hasKey = (request.headers['idempotency-key'] ?? '') !== '';
  return answerLost({ method, honoursKey: honoursKey(route.contract), hasKey, cause: failure });
}

function isDryRun({ contract }: PublicRoute, request: FastifyRequest): boolean {
  return contract?.dryRunStatus !== undefined && (request.query as { dryRun?: string }).dryRun === 'true';
}

function unavailable(service: ServiceName, cause?: unknown): ApiError {
  return new ApiError('service_unavailable', `The ${service} service cannot be reached; try again.`, {
    retryAfterSeconds: 1,
    cause,
  });
}
