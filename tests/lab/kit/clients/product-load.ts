/**
 * A client of the product that sends requests at a fixed rate, whether answers arrive or not (open loop), and
 * records the answers. It never resends a request; a repeat of a write under the same idempotency key counts
 * as a new request.
 */

import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { allRoutes } from '@hookline/shared/contracts/all-routes';
import { dayMs } from '@hookline/shared/kernel/durations';
import { newAutomation } from './api.ts';
import type { Creators } from './creators.ts';
import { type Answer, createHttpClient } from './http-client.ts';

export type Told = {
  operation: string;
  /** The service that answers it: the gateway, or the one behind it. */
  service: string;
  /** 0: no answer. */
  status: number;
  /** As the client saw it. */
  requestId: string | null;
  error: string | null;
  /** Epoch milliseconds at which it was due, and the latency from that time. */
  dueAt: number;
  tookMs: number;
};

export type Load = {
  told: Told[];
  /** Ids by idempotency key, of every answer to `POST /content`. */
  contents: Map<string, string[]>;
  /** Titles of the schedules to be sent during the run, each unique. */
  titles: Set<string>;
  /** Requests that wait for their answer. */
  waiting(): number;
  /**
   * Sends no further request; resolves when each was answered or given up. A `POST /content` that got no
   * answer is then repeated once under its key, so that a content it made counts for that key.
   */
  stop(): Promise<void>;
};

export type LoadOptions = {
  baseUrl: string;
  creators: Creators;
  /** A paused automation, which is modified repeatedly. */
  automationId: string;
  perSecond: number;
};

type Pair = { contentId: string; tiktokAccountId: string };

type Step = {
  operation: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  onAnswer?(status: number, data: { id: string }): void;
  onLost?(): void;
};

/** Shares of a hundred requests; a step with nothing to do reads instead. */
const shares = { create: 0.7, replay: 0.3, approve: 0.7, schedule: 2, withdraw: 2, send: 0.4, change: 8 };

export function startLoad({ baseUrl, creators, automationId, perSecond }: LoadOptions): Load {
  const { client, accounts, contentIds } = creators;
  const http = createHttpClient([baseUrl], 512);
  const told: Told[] = [];
  const contents = new Map<string, string[]>();
  const titles = new Set<string>();
  const undecided: string[] = [];
  const scheduled: { id: string; pair: Pair }[] = [];
  const keysToReplay: string[] = [];
  const keysLost: string[] = [];
  // A deck may have one pending schedule per account: half of the decks are sent, the others scheduled for
  // later and withdrawn.
  const pairsOf = (ids: readonly string[]): Pair[] =>
    ids.flatMap(contentId => accounts.map(account => ({ contentId, tiktokAccountId: account.id })));
  const half = Math.ceil(contentIds.length / 2);
  const atOnce = pairsOf(contentIds.slice(0, half));
  const later = pairsOf(contentIds.slice(half));
  let waiting = 0;
  let sent = 0;
  let approved = 0;

  const create = (key: string, operation: string): Step => ({
    operation,
    method: 'POST',
    path: '/content',
    body: { appId: client.appId, type: 'slideshow', brief: { templateId: 'quote-card', slideCount: 3 } },
    headers: { 'idempotency-key': key },
    onAnswer(status, { id }) {
      if (status !== 201) return;
      const ids = contents.get(key) ?? [];
      contents.set(key, [...ids, id]);
      if (ids.length > 0) return;
      undecided.push(id);
      keysToReplay.push(key);
    },
  });

  const makers: Record<keyof typeof shares, () => Step | undefined> = {
    create: () => {
      const key = randomBytes(12).toString('hex');
      return { ...create(key, 'create content'), onLost: () => keysLost.push(key) };
    },
    replay: () => {
      const key = keysToReplay.shift();
      return key === undefined ? undefined : create(key, 'repeat content');
    },
    approve: () => {
      const id = undecided.shift();
      if (id === undefined) return undefined;
      return {
        operation: 'approve',
        method: 'POST',
        path: `/content/${id}/approve`,
        onAnswer(status) {
          const account = accounts[approved++ % accounts.length];
          if (status === 200 && account) atOnce.push({ contentId: id, tiktokAccountId: account.id });
        },
      };
    },
    schedule: () => {
      const pair = later.shift();
      if (!pair) return undefined;
      const scheduledFor = new Date(Date.now() + dayMs).toISOString();
      return {
        operation: 'schedule',
        method: 'POST',
        path: '/schedules',
        body: { ...pair, scheduledFor },
        onAnswer(status, { id }) {
          if (status !== 201) return;
          scheduled.push({ id, pair });
        },
      };
    },
    withdraw: () => {
      const waitingOne = scheduled.shift();
      if (!waitingOne) return undefined;
      const { id, pair } = waitingOne;
      return {
        operation: 'withdraw',
        method: 'DELETE',
        path: `/schedules/${id}`,
        onAnswer: status => void (status === 200 && later.push(pair)),
      };
    },
    send: () => {
      const pair = atOnce.shift();
      if (!pair) return undefined;
      const title = `rolling ${titles.size}`;
      titles.add(title);
      const scheduledFor = new Date(Date.now() + 1_000).toISOString();
      return {
        operation: 'send',
        method: 'POST',
        path: '/schedules',
        body: { ...pair, scheduledFor, title },
      };
    },
    change: () => ({
      operation: 'change automation',
      method: 'PATCH',
      path: `/automations/${automationId}`,
      body: { approvalMode: sent % 2 === 0 ? 'auto' : 'manual' },
    }),
  };
  const reads = [
    '/content?limit=5',
    `/content/${contentIds[0]}`,
    '/schedules?limit=5',
    `/apps/${client.appId}`,
    '/credits',
    '/accounts?limit=5',
    '/automations?limit=5',
    '/webhooks?limit=5',
    '/analytics/summary',
    '/analytics/sources',
    '/keys',
  ];

  function nextStep(): Step {
    let drawn = Math.random() * 100;
    for (const [name, share] of Object.entries(shares) as [keyof typeof shares, number][]) {
      drawn -= share;
      if (drawn < 0) return makers[name]() ?? read();
    }
    return read();
  }

  function read(): Step {
    const path = reads[sent % reads.length] ?? '';
    return { operation: 'read', method: 'GET', path };
  }

  async function send(step: Step, dueAt: number): Promise<void> {
    const { service, auth } = routeOf(step);
    const { operation, method, path, body } = step;
    // With a collector configured: a load's many requests are not what it should keep.
    const traceparent = `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-00`;
    const token = auth === 'session' ? client.session : client.key;
    waiting += 1;
    let answer: Answer | undefined;
    let error: string | null = null;
    try {
      answer = await http.send(0, { method, path, body, token, headers: { traceparent, ...step.headers } });
      if (answer.status >= 400) error = answer.text.slice(0, 200);
    } catch (lost) {
      step.onLost?.();
      error = `${(lost as { code?: string }).code ?? ''} ${(lost as Error).message}`;
    }
    waiting -= 1;
    const requestId = answer === undefined ? null : String(answer.headers['x-request-id'] ?? '');
    const status = answer?.status ?? 0;
    told.push({ operation, service, status, requestId, error, dueAt, tookMs: Date.now() - dueAt });
    if (answer && status < 400)
      step.onAnswer?.(status, (JSON.parse(answer.text) as { data: { id: string } }).data);
  }

  const beganAt = Date.now();
  const timer = setInterval(() => {
    for (; (sent * 1_000) / perSecond <= Date.now() - beganAt; sent += 1) {
      void send(nextStep(), beganAt + (sent * 1_000) / perSecond);
    }
  }, 2);

  return {
    told,
    contents,
    titles,
    waiting: () => waiting,
    async stop() {
      clearInterval(timer);
      while (waiting > 0) await wait(20);
      for (const key of keysLost) await send(create(key, 'repeat content'), Date.now());
      http.close();
    },
  };
}

const routes = new Map(allRoutes.map(route => [`${route.method} ${route.path}`, route]));

function routeOf({ method, path }: Step) {
  const [plain = ''] = path.split('?');
  const name = `${method} ${plain.replace(/\/[a-z]+_[^/]+/g, '/{id}')}`;
  const route = routes.get(name);
  if (!route) throw new Error(`there is no route ${name}`);
  return route;
}

/** A paused automation of the client's first account. */
export async function makeAutomation({ client, accounts }: Creators): Promise<string> {
  const id = await newAutomation(client, { tiktokAccountId: accounts[0]?.id, approvalMode: 'manual' });
  const paused = await client.api('PATCH', `/automations/${id}`, {
    token: client.key,
    body: { status: 'paused' },
  });
  if (paused.error) throw new Error(paused.error.message);
  return id;
}

/** Failures: no answer, a truncated answer, or one that reports a fault of the product. */
export function failuresOf(told: readonly Told[]): Told[] {
  return told.filter(({ status }) => status === 0 || status >= 500);
}
