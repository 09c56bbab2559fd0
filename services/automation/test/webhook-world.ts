/**
 * The service with a webhook receiver, and the calls that tests of webhooks and the feed make. One per file.
 */

import { jobCompleted } from '@hookline/shared/events';
import type { Caller } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import { startTestService, type TestService, testCaller } from '@hookline/testing/service-harness';
import { expect } from 'vitest';
import { channels } from '../src/channels.ts';
import { automation } from '../src/service.ts';
import { type Received, type Receiver, startReceiver } from './receiver.ts';

export type Body = { data: Record<string, unknown>; error: { code: string; message: string } };

export type Delivery = {
  id: string;
  eventId: string;
  status: string;
  attempts: { responseStatus: number | null; error: string | null }[];
  nextAttemptAt: string | null;
};

export type Feed = {
  data: { id: string; type: string; sequence: number }[];
  nextCursor: string;
  previousCursor?: string | null;
};

export type WebhookWorld = {
  service: TestService;
  receiver: Receiver;
  /** Who calls unless a caller is given. Each registration makes a new one. */
  owner: Caller;
  stranger: Caller;
  /** How far the service's clock runs ahead, in milliseconds. */
  readonly aheadMs: number;
  /** Moves the clock and wakes the worker, instead of waiting for its next poll. */
  advance(ms: number): Promise<void>;
  call(
    method: string,
    path: string,
    body?: unknown,
    caller?: Caller,
  ): Promise<{ status: number; body: Body; text: string }>;
  /** A webhook on a new account, so that tests see only their own events. */
  register(path: string, events?: string[]): Promise<{ id: string; secret: string }>;
  /** @returns the event's id */
  publishJob(contentId?: string): Promise<string>;
  deliveriesOf(webhookId: string): Promise<Delivery[]>;
  feed(query?: string, caller?: Caller): Promise<Feed>;
  at(path: string): Received[];
  stop(): Promise<void>;
};

export async function startWebhookWorld(): Promise<WebhookWorld> {
  const receiver = await startReceiver();
  // Moved forward so that retries come due; never moved back.
  let aheadMs = 0;
  const service = await startTestService(automation, {
    env: { PUBLIC_URL: 'https://api.example.com', WEBHOOK_ALLOW_TARGETS: receiver.target },
    now: () => new Date(Date.now() + aheadMs),
  });
  const world: WebhookWorld = {
    service,
    receiver,
    owner: testCaller(),
    stranger: testCaller(),
    get aheadMs() {
      return aheadMs;
    },
    async advance(ms) {
      aheadMs += ms;
      await service.db.query(`select pg_notify('${channels.deliveries}', '')`);
    },
    async call(method, path, body, caller = world.owner) {
      const answer = await service.call(method, path, { caller, ...(body === undefined ? {} : { body }) });
      return { status: answer.status, body: answer.body as Body, text: answer.text };
    },
    async register(path, events = ['job.completed']) {
      world.owner = testCaller();
      const { status, body } = await world.call('POST', '/v1/webhooks', { url: receiver.url(path), events });
      expect(status).toBe(201);
      return body.data as { id: string; secret: string };
    },
    async publishJob(contentId = newId('content')) {
      const id = newId('event');
      const job = { ...jobCompleted.example.job, id: contentId, resourceId: contentId };
      const data = { job, origin: null, waitsBecause: null };
      await service.publish(jobCompleted, {
        subject: contentId,
        accountId: world.owner.accountId,
        data,
        id,
      });
      return id;
    },
    async deliveriesOf(webhookId) {
      const { body } = await world.call('GET', `/v1/webhooks/${webhookId}/deliveries`);
      return body.data as unknown as Delivery[];
    },
    async feed(query = '', caller = world.owner) {
      return (await world.call('GET', `/v1/events${query}`, undefined, caller)).body as unknown as Feed;
    },
    at: path => receiver.received.filter(request => request.path === path),
    async stop() {
      await service.stop();
      await receiver.stop();
    },
  };
  return world;
}
