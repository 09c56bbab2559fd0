/** Ten customers who approve and reject: each changed decision is one event at five endpoints. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Client, signUp } from '../../kit/clients/api.ts';
import type { Recorder } from '../../kit/run/history.ts';
import type { Endpoint } from '../../kit/servers/receivers.ts';
import type { WebhookLine } from './history.ts';

export type Customer = Client & { account: number; contentIds: string[] };

const events = ['job.completed', 'content.approved', 'content.rejected'];
type Send = () => Promise<{ status: number; text: string; data: Record<string, unknown> }>;

/**
 * Repeats until an answer arrives, like a careful client. @throws Error for an answer that a repeat cannot
 * change
 */
export async function insist(send: Send): Promise<Record<string, unknown>> {
  for (;;) {
    const answer = await send().catch(() => null);
    if (answer && answer.status < 300) return answer.data;
    if (answer && answer.status < 500 && answer.status !== 409 && answer.status !== 429) {
      throw new Error(`unexpected answer ${answer.status}: ${answer.text}`);
    }
    await wait(100);
  }
}

/** Signs up, imports an app, registers the account's endpoints, creates plain decks. */
export async function prepareCustomer(
  baseUrl: string,
  account: number,
  endpoints: readonly Endpoint[],
  contents: number,
  recorder: Recorder<WebhookLine>,
): Promise<Customer> {
  const client = await signUp(baseUrl);
  const { api, key: token } = client;
  const app = await api<{ id: string }>('POST', '/apps', {
    token,
    body: { name: 'Pebblo', appStoreUrl: 'https://apps.apple.com/us/app/pebblo/id9990000011' },
  });
  if (app.error) throw new Error(app.error.message);
  for (const one of endpoints.filter(endpoint => endpoint.account === account)) {
    const body = { url: `http://127.0.0.1:${one.port}/hooks`, events };
    const made = await api<{ id: string; secret: string }>('POST', '/webhooks', { token, body });
    if (made.error) throw new Error(made.error.message);
    one.webhookId = made.data.id;
    one.secrets = [made.data.secret];
    recorder.write({ kind: 'endpoint', endpoint: one.endpoint, account, isFlapping: false });
  }
  const contentIds: string[] = [];
  for (let index = 0; index < contents; index += 1) {
    const made = await insist(() =>
      api('POST', '/content', {
        token,
        headers: { 'idempotency-key': `content-${index}` },
        body: { appId: app.data.id, type: 'slideshow' },
      }),
    );
    contentIds.push(made.id as string);
    recorder.write({ kind: 'content', account, contentId: made.id as string });
  }
  return { ...client, account, contentIds };
}

export type Driving = { stop(): Promise<void> };

/** Decides on each content in turn, alternating each time, `perSecond` over all customers. */
export function drive(
  customers: readonly Customer[],
  perSecond: number,
  decisions: Map<string, 'approve' | 'reject'>,
  recorder: Recorder<WebhookLine>,
): Driving {
  let isOver = false;
  const pauseMs = (1_000 * customers.length) / perSecond;

  async function run({ api, key: token, contentIds }: Customer): Promise<void> {
    for (let turn = 0; !isOver; turn += 1) {
      const dueMs = performance.now() + pauseMs;
      const contentId = contentIds[turn % contentIds.length] as string;
      const decision = decisions.get(contentId) === 'approve' ? 'reject' : 'approve';
      await insist(() => api('POST', `/content/${contentId}/${decision}`, { token }));
      decisions.set(contentId, decision);
      recorder.write({ kind: 'decision', contentId, decision });
      await wait(Math.max(0, dueMs - performance.now()));
    }
  }

  const running = Promise.all(customers.map(run));
  return {
    async stop() {
      isOver = true;
      await running;
    },
  };
}
