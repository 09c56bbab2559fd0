/** Ten customers with creators, decks, keys, endpoints and automations, created before the faults. */
import { scopes } from '@hookline/shared/contracts/scopes';
import { publicEventTypes } from '@hookline/shared/contracts/webhooks';
import type { Prepared } from '../../kit/clients/api.ts';
import { type Creators, prepareCreators } from '../../kit/clients/creators.ts';
import type { DistributedProduct } from '../../kit/product/distributed.ts';
import type { Recorder } from '../../kit/run/history.ts';
import type { Endpoint } from '../../kit/servers/receivers.ts';
import { epochMs } from './clock.ts';
import type { ChaosLine } from './history.ts';

export type Key = { name: string; token: string };

export type Customer = Creators & {
  account: number;
  /** With every scope; the load is spread over them, so that none reaches its limit. */
  keys: Key[];
  /** May schedule, but not publish. */
  narrow: Key;
  automationIds: string[];
};

const creatorsEach = 4;
const decksEach = 2;
const keysEach = 6;
const automationsEach = 2;

export async function prepareCustomers(
  product: DistributedProduct,
  endpoints: readonly Endpoint[],
  recorder: Recorder<ChaosLine>,
  minutes: number,
): Promise<Customer[]> {
  const customers: Customer[] = [];
  for (const account of new Set(endpoints.map(endpoint => endpoint.account)))
    customers.push(await prepareCustomer(product, account, endpoints, recorder));
  for (const customer of customers) await makeAutomations(customer, recorder, minutes);
  return customers;
}

async function prepareCustomer(
  product: DistributedProduct,
  account: number,
  endpoints: readonly Endpoint[],
  recorder: Recorder<ChaosLine>,
): Promise<Customer> {
  const made = await prepareCreators(product, {
    count: creatorsEach,
    decks: decksEach,
    prefix: `chaos.${account}`,
  });
  const { client, contentIds } = made;
  const mine = endpoints.filter(endpoint => endpoint.account === account);
  for (const endpoint of mine) {
    const url = `http://127.0.0.1:${endpoint.port}/hooks`;
    // The first deck was created before the endpoints, so its events belong to none.
    const told = await create<{ id: string }>(client, '/webhooks', {
      url,
      events: publicEventTypes,
    });
    endpoint.webhookId = told.id;
  }
  const keys: Key[] = [];
  for (let at = 0; at < keysEach; at += 1) keys.push(await mintKey(client, scopes));
  const narrow = await mintKey(
    client,
    scopes.filter(scope => scope !== 'schedules:publish'),
  );
  const ids = mine.map(({ endpoint }) => endpoint);
  recorder.write({ kind: 'customer', account, appId: client.appId, endpoints: ids });
  for (const contentId of contentIds) recorder.write({ kind: 'deck', account, contentId });
  return { ...made, account, keys, narrow, automationIds: [] };
}

/** Each fires at every full minute: slots for the run and the time until it rests. */
async function makeAutomations(
  { account, client, accounts, automationIds }: Customer,
  recorder: Recorder<ChaosLine>,
  minutes: number,
): Promise<void> {
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const fromMs = Date.now();
  const times = Array.from({ length: Math.min(50, Math.ceil(minutes) + 15) }, (_, at) =>
    new Date(fromMs + at * 60_000).toISOString().slice(11, 16),
  );
  for (let at = 0; at < automationsEach; at += 1) {
    const { id } = await create<{ id: string }>(client, '/automations', {
      appId: client.appId,
      tiktokAccountId: accounts[at]?.id,
      format: 'slideshow',
      approvalMode: 'auto',
      brief: { templateId: 'quote-card', slideCount: 3 },
      postingTimes: times.map(time => ({ time, days })),
    });
    automationIds.push(id);
    recorder.write({ kind: 'automation', account, automationId: id, doneMs: epochMs(performance.now()) });
  }
}

async function mintKey(client: Prepared, wanted: readonly string[]): Promise<Key> {
  const made = await create<{ id: string; key: string }>(
    client,
    '/keys',
    { name: 'chaos', scopes: wanted },
    client.session,
  );
  return { name: made.id, token: made.key };
}

async function create<T>({ api, key }: Prepared, path: string, body: unknown, token = key): Promise<T> {
  const made = await api<T>('POST', path, { token, body });
  if (made.error) throw new Error(`${path}: ${made.text}`);
  return made.data;
}
