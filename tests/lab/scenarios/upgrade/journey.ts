/**
 * One account's life across versions: the operations that every stage of a rollout must support, and the
 * state it must keep.
 */
import { createServer } from 'node:http';
import { eventually } from '@hookline/testing/eventually';
import {
  approvedDeck,
  type Prepared,
  postsAtPlatform,
  prepareAccount,
  type Schedule,
  signUp,
} from '../../kit/clients/api.ts';
import type { DistributedProduct } from '../../kit/product/distributed.ts';
import type { WebhookReceiver } from '../../kit/servers/webhook-receiver.ts';

const creator = 'maya.makes';
const events = ['job.completed', 'content.approved', 'schedule.published'];
const waitMs = 30_000;

export type Traveller = {
  client: Prepared;
  /** Makes the journey once more. @throws Error naming what this mix of versions could not do, or had lost */
  travel(): Promise<void>;
};

/** An endpoint that answers everything with 410. */
export async function startGoneEndpoint(): Promise<{ url: string; target: string; close(): void }> {
  const server = createServer((_, response) => response.writeHead(410).end());
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.address();
  const target = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return { url: `http://${target}/gone`, target, close: () => void server.close() };
}

/**
 * Signs up, imports, connects and registers two endpoints: one that accepts everything, one that is gone and
 * so disabled at its first delivery, and enabled again by its owner.
 */
export async function openTraveller(
  product: DistributedProduct,
  receiver: WebhookReceiver,
  goneUrl: string,
): Promise<Traveller> {
  const client = await prepareAccount(product.baseUrl, creator);
  const { api, key } = client;
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await api<T>(method, path, { token: key, ...(body === undefined ? {} : { body }) });
    if (answer.error) throw new Error(`${method} ${path}: ${answer.status} ${answer.error.message}`);
    return answer.data;
  };
  await ask('POST', '/webhooks', { url: receiver.url, events });
  const gone = await ask<{ id: string }>('POST', '/webhooks', { url: goneUrl, events: ['job.completed'] });
  const made: { content: string; schedule: string }[] = [];

  const travel = async (): Promise<void> => {
    const stage = made.length + 1;
    // A new user, who finds an empty account.
    await signUp(product.baseUrl);
    const deck = await approvedDeck(client);
    const { id } = await ask<Schedule>('POST', '/schedules', {
      contentId: deck.id,
      tiktokAccountId: client.accountId,
      mode: 'publish',
      privacyLevel: 'PUBLIC_TO_EVERYONE',
    });
    made.push({ content: deck.id, schedule: id });
    await eventually(async () => {
      const { status, outcome, failure } = await ask<Schedule>('GET', `/schedules/${id}`);
      mustBe(
        'the schedule',
        { status, outcome, failure },
        { status: 'sent', outcome: 'published', failure: null },
      );
    }, waitMs);
    mustBe('posts at the platform', (await postsAtPlatform(product.simulatorsUrl, creator)).length, stage);
    await eventually(() => mustBe('webhooks', receiver.received.length, stage * events.length), waitMs);
    // The number of times it was disabled is counted through all versions, without a gap.
    await eventually(async () => mustBe('webhook.disabled', await disabledSequences(), upTo(stage)), waitMs);
    await ask('PATCH', `/webhooks/${gone.id}`, { status: 'enabled' });
    for (const { content, schedule } of made) {
      mustBe('an earlier content', (await ask<{ id: string }>('GET', `/content/${content}`)).id, content);
      mustBe('an earlier schedule', (await ask<Schedule>('GET', `/schedules/${schedule}`)).status, 'sent');
    }
  };

  const disabledSequences = async (): Promise<number[]> => {
    const { data } = JSON.parse((await api('GET', '/events?limit=100', { token: key })).text) as {
      data: { type: string; sequence: number }[];
    };
    return data.filter(({ type }) => type === 'webhook.disabled').map(({ sequence }) => sequence);
  };

  return { client, travel };
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at + 1);
}

function mustBe(what: string, is: unknown, wanted: unknown): void {
  const [found, right] = [JSON.stringify(is), JSON.stringify(wanted)];
  if (found !== right) throw new Error(`${what}: ${found} instead of ${right}`);
}
