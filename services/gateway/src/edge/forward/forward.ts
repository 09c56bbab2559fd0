import { ApiError, answerLost } from '@hookline/shared/contracts';
import { honoursKey } from '@hookline/shared/contracts/route';
import type { ServiceName } from '@hookline/shared/contracts/scopes';
import { type CallSigner, createUpstream, type Upstream } from '@hookline/shared/http';
import { createBreaker, createFairQueue, currentTraceparent, type Logger } from '@hookline/shared/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dispatcher } from 'undici';
import { ownersPath, type PublicRoute } from '../../public-api.ts';
import type { ClientAddress } from '../limits/client-address.ts';
import { passAnswer, UpstreamFailure } from './answer.ts';
import { requestHeaders } from './headers.ts';
import { enterQueue, type Owner, Passage } from './passage.ts';
import { createSlowReaders, slowReadersMax } from './slow-readers.ts';

export type Forwarder = {
  /**
   * Writes the owner's answer to `reply`.
   * @throws ApiError if nothing was written yet: `service_unavailable` when the owner was not reached. When
   * its answer was lost, late or not an envelope: `outcome_unknown` for a POST that is not safe to repeat,
   * otherwise `service_unavailable`.
   * @param recheck called for a request that has waited; a rejection is the answer
   */
  forward(route: PublicRoute, request: FastifyRequest, reply: FastifyReply, recheck: Recheck): Promise<void>;
  close(): Promise<void>;
};

type Recheck = (request: FastifyRequest, reply: FastifyReply) => Promise<void> | null;

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

// Longer than the slowest valid answer: a repeat waits up to 10 s for the first one (D-5).
const headersTimeoutMs = 15_000;
/** Beyond the generation, for the transactions around it. */
const generationMarginMs = 7_000;
/**
 * Requests in flight to an owner, times the number of its addresses; those with a slow reader do not count.
 */
const slotsMax = 64;
/** Decks have slots of their own: each may take half a minute, and reads would wait for them. */
const decksMax = 48;
/** One account leaves the others a quarter, as it does at a text model. */
const decksOfAccountMax = 36;
// Each has one request at a time.
const connectionsMax = slotsMax + decksMax + slowReadersMax;
/** What waits for the servers of others leaves the rest to the other requests. */
const slowShare = 0.75;
const attemptsMax = 3;
const none: ReadonlySet<string> = new Set();
/** Their answers wait for a text model. */
const writing = new Set(['createContent', 'setTextModel', 'testTextModel']);

export function createForwarder(options: ForwarderOptions): Forwarder {
  const { log, clientAddress, isStopping } = options;
  const owners = createOwners(options);
  const toCaller = { isStopping, giveSlotBack };

  function giveSlotBack(passage: Passage): void {
    const { owner, request, reply } = passage;
    const reader = request.call?.caller?.accountId ?? clientAddress(request);
    passage.queue.leave(passage);
    passage.leaveReaders = owner.slowReaders.add(reader, () => reply.raw.destroy());
  }

  /** @param recheck null for a request that has not waited */
  async function send(passage: Passage, recheck: Recheck | null): Promise<void> {
    const { owner, request, reply } = passage;
    try {
      if (recheck) await recheck(request, reply);
      if (!owner.breaker.mayCall(performance.now())) throw unavailable(owner.name);
      const dispatch = dispatchOptions(passage, options);
      let refused = none;
      for (let attempt = 1; ; attempt += 1) {
        const picked = pick(owner, refused);
        const { origin, pool } = picked instanceof Promise ? await picked : picked;
        const failure = await passAnswer(pool, dispatch, passage, toCaller);
        if (!failure) break;
        if (attempt >= attemptsMax || !mayRepeat(failure, request.method, attempt)) throw failure;
        if (failure.kind === 'never_sent') refused = new Set([...refused, origin]);
      }
      owner.breaker.succeeded();
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      if (error.kind !== 'client_gone') owner.breaker.failed(performance.now());
      if (!reply.raw.headersSent && !reply.raw.destroyed) throw failureAnswer(passage, error);
      if (error.kind !== 'client_gone') {
        log.warn({ owner: owner.name, reason: error.kind }, 'an answer was cut short');
      }
    } finally {
      if (passage.leaveReaders) passage.leaveReaders();
      else passage.queue.leave(passage);
    }
    reply.hijack();
  }

  return {
    forward(route, request, reply, recheck) {
      const owner = owners.get(route.service);
      if (!owner) throw new Error(`the gateway was given no address of ${route.service}`);
      // Refused at once, while those in flight may hold every slot until they time out.
      if (owner.breaker.isOpen(performance.now())) throw unavailable(owner.name);
      const passage = new Passage(owner, route, request, reply);
      const turn = enterQueue(passage.queue, passage, owner.name);
      return turn ? turn.then(() => send(passage, recheck)) : send(passage, null);
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
    const decks = createFairQueue({
      slots: () => decksMax * upstream.addressCount(),
      slowMax: decksOfAccountMax,
    });
    const slowReaders = createSlowReaders(() => slowReadersMax * upstream.addressCount(), log);
    owners.set(name, { name, upstream, breaker: createBreaker(), queue, decks, slowReaders });
  }
  return owners;
}

function pick({ upstream }: Owner, refused: ReadonlySet<string>): ReturnType<Upstream['pick']> {
  try {
    const picked = upstream.pick(refused);
    return picked instanceof Promise ? picked.catch(notSent) : picked;
  } catch (error) {
    return notSent(error);
  }
}

function notSent(error: unknown): never {
  throw new UpstreamFailure('never_sent', error);
}

function dispatchOptions(
  { owner: { name: audience }, route, request }: Passage,
  { sign, clientAddress, generationMs }: ForwarderOptions,
): Dispatcher.DispatchOptions {
  const path = ownersPath(request.url);
  const method = request.method as Dispatcher.HttpMethod;
  const body = Buffer.isBuffer(request.body) && request.body.length > 0 ? request.body : null;
  const headers = requestHeaders(request.headers, body !== null);
  const { id: requestId, call } = request;
  const sent = { requestId, caller: call?.caller ?? null, body, address: clientAddress(request) };
  Object.assign(headers, sign({ sender: 'gateway', audience, method, path, ...sent }));
  headers.traceparent = currentTraceparent();
  const dispatch: Dispatcher.DispatchOptions = { path, method, headers, body };
  if (writing.has(route.contract?.id ?? '')) {
    dispatch.headersTimeout = Math.max(headersTimeoutMs, generationMs + generationMarginMs);
  }
  return dispatch;
}

/**
 * Any method may be repeated if it was not sent or was refused unprocessed. If the answer was lost: a read,
 * once.
 */
function mayRepeat(failure: UpstreamFailure, method: string, attempt: number): boolean {
  if (failure.kind === 'never_sent' || failure.kind === 'not_believed') return true;
  return failure.kind === 'lost' && attempt === 1 && (method === 'GET' || method === 'HEAD');
}

function failureAnswer({ owner, route, request }: Passage, failure: UpstreamFailure): ApiError {
  const { method } = request;
  const isUndone = failure.kind === 'never_sent' || failure.kind === 'not_believed';
  const changesNothing = method === 'GET' || method === 'HEAD' || isDryRun(route, request);
  // Routes without a contract are the platform's events: it repeats them, and duplicates have no effect.
  if (isUndone || changesNothing || !route.contract) return unavailable(owner.name, failure);
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
