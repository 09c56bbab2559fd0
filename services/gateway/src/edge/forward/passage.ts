import { ApiError } from '@hookline/shared/contracts';
import type { ServiceName } from '@hookline/shared/contracts/scopes';
import type { Upstream } from '@hookline/shared/http';
import { type Breaker, type FairQueue, type QueuedRequest, QueueFullError } from '@hookline/shared/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PublicRoute } from '../../public-api.ts';
import type { SlowReaders } from './slow-readers.ts';
import { waitsOutside } from './waits-outside.ts';

export type Owner = {
  name: ServiceName;
  upstream: Upstream;
  breaker: Breaker;
  queue: FairQueue;
  decks: FairQueue;
  slowReaders: SlowReaders;
};

/** A request on its way to its owner, with its slot there. */
export class Passage implements QueuedRequest {
  readonly owner: Owner;
  readonly route: PublicRoute;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly workspace: string;
  readonly queue: FairQueue;
  readonly isSlow: boolean;
  /** Set once the answer has given its slot back to be read slowly. */
  leaveReaders: (() => void) | null = null;

  constructor(owner: Owner, route: PublicRoute, request: FastifyRequest, reply: FastifyReply) {
    this.owner = owner;
    this.route = route;
    this.request = request;
    this.reply = reply;
    // Requests of nobody share by their path: images, the platform's events.
    this.workspace = request.call?.caller?.accountId ?? route.path;
    const isDeck = route.contract?.id === 'createContent';
    this.queue = isDeck ? owner.decks : owner.queue;
    this.isSlow = isDeck || waitsOutside(route, request.body);
  }

  onGone(callback: () => void): void {
    this.reply.raw.once('close', callback);
  }
}

/**
 * @param service whose answer the request waits for
 * @returns null when it has a slot now
 * @throws ApiError `service_unavailable` when too many requests wait, or rejects with it
 * when it waited too long.
 */
export function enterQueue(queue: FairQueue, request: QueuedRequest, service: string): Promise<void> | null {
  const refuse = (error: unknown): never => {
    if (!(error instanceof QueueFullError)) throw error;
    const message = `Too many requests wait for the ${service} service; try again.`;
    throw new ApiError('service_unavailable', message, { retryAfterSeconds: 2, cause: error });
  };
  try {
    return queue.enter(request)?.catch(refuse) ?? null;
  } catch (error) {
    return refuse(error);
  }
}
