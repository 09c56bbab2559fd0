/** After the healing: waits until the product rests, then requests every acknowledged content once more. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '@hookline/shared/postgres';
import { type Answer, anyIp, type HttpClient, type Question } from '../../kit/clients/http-client.ts';
import type { DistributedProduct } from '../../kit/product/distributed.ts';
import { services } from '../../kit/product/stack.ts';
import type { Recorded, Recorder } from '../../kit/run/history.ts';
import type { Customer } from './customers.ts';
import type { ChaosLine, Created } from './history.ts';
import { contentOf, createdLine, dataOf, isDecided } from './requests.ts';

export const settleWithinMs = 120_000;
// The first retry of a webhook comes after 5 s; the second after 5 min, too long to wait for here.
const patienceMs = 8_000;
const replaysPerKey = 9;
/** Asks each replica whether it is ready, until it is or the time is over. */
export async function untilReady(product: DistributedProduct, recorder: Recorder<ChaosLine>): Promise<void> {
  const beganMs = performance.now();
  const places = services.flatMap(service =>
    product.urlsOf(service).map((url, replica) => ({ service, replica, url })),
  );
  await Promise.all(
    places.map(async ({ service, replica, url }) => {
      let afterMs: number | null = null;
      while (afterMs === null && performance.now() - beganMs < settleWithinMs) {
        const signal = AbortSignal.timeout(2_000);
        const answer = await fetch(`${url}/readyz`, { signal }).catch(() => null);
        if (answer?.status === 200) afterMs = performance.now() - beganMs;
        else await wait(250);
      }
      recorder.write({ kind: 'ready', service, replica, afterMs });
    }),
  );
}

/** Stops the automations' firing; a slot that becomes due before that still fires. */
export async function pauseAutomations(
  db: Database,
  client: HttpClient,
  customers: readonly Customer[],
  recorder: Recorder<ChaosLine>,
): Promise<void> {
  for (let left = settleWithinMs / 500; left > 0; left -= 1) {
    const due = await db.query('select 1 from automation.automations where next_fire_at <= now()');
    if (due.length === 0) break;
    await wait(500);
  }
  for (const { automationIds, client: user } of customers) {
    for (const automationId of automationIds) {
      const sentMs = Date.now();
      const path = `/automations/${automationId}`;
      await insist(client, { method: 'PATCH', path, token: user.key, body: { status: 'paused' } });
      recorder.write({ kind: 'paused', automationId, sentMs });
    }
  }
}

/** Unfinished work, each item in a few words; posts due after `until` are ignored. */
async function listOpen(db: Database, until: Date): Promise<string[]> {
  const rows = await db.query<{ what: string }>(
    `select 'schedule ' || id as what from scheduling.schedules
       where status in ('pending', 'sending') and scheduled_for <= $1 and held_since is null
     union all select 'delivery ' || id from automation.deliveries where status = 'pending'
     union all select 'outbox of content: ' || event_id from content.outbox
     union all select 'outbox of scheduling: ' || event_id from scheduling.outbox
     union all select 'outbox of automation: ' || event_id from automation.outbox
     union all select 'content ' || id || ' is ' || status from content.contents where status in ('queued', 'running')
     union all select 'firing ' || f.id || ' is ' || f.status from automation.firings f
       left join scheduling.schedules s on s.id = f.schedule_id
       where f.status in ('fired', 'generated', 'awaiting_approval', 'scheduled')
         and coalesce(s.scheduled_for, f.slot) <= $1
     union all select 'the end of schedule ' || s.id || ' is not in the feed' from scheduling.schedules s
       where s.status in ('sent', 'failed') and not exists (
         select 1 from automation.feed_events f where f.resource = 'schedule:' || s.id)
     union all select count(*) || ' events not in the feed' from (
       select c.resource from content.event_sequences c
       left join automation.feed_events f on f.resource = c.resource
       group by c.resource, c.sequence having count(f.id) < c.sequence) missing having count(*) > 0`,
    [until],
  );
  return rows.map(({ what }) => what);
}

/** Replays deliveries whose next attempt is minutes away through the API, as a receiver's operator would. */
async function replayFarAway(
  db: Database,
  client: HttpClient,
  customers: readonly Customer[],
  accountOf: (webhookId: string) => number | undefined,
): Promise<void> {
  const far = await db.query<{ webhookId: string; id: string }>(
    `select webhook_id as "webhookId", id from automation.deliveries
     where status = 'pending' and lease_token is null and next_attempt_at > now() + $1 * interval '1 ms' limit 100`,
    [patienceMs],
  );
  for (const { webhookId, id } of far) {
    const customer = customers.find(({ account }) => account === accountOf(webhookId));
    const path = `/api/v1/webhooks/${webhookId}/deliveries/${id}/replay`;
    await client
      .send(0, { method: 'POST', path, token: customer?.client.key, ip: anyIp() })
      .catch(() => null);
  }
}

/** @param until work due by then must be finished */
export async function settle(
  db: Database,
  client: HttpClient,
  customers: readonly Customer[],
  accountOf: (webhookId: string) => number | undefined,
  until: Date,
  recorder: Recorder<ChaosLine>,
): Promise<void> {
  const beganMs = performance.now();
  let left = await listOpen(db, until);
  while (left.length > 0 && performance.now() - beganMs < settleWithinMs) {
    await replayFarAway(db, client, customers, accountOf);
    await wait(1_000);
    left = await listOpen(db, until);
  }
  recorder.write({ kind: 'settled', afterMs: performance.now() - beganMs, left: left.slice(0, 50) });
}

/** Requests every key that was answered 201 again, with new API keys: the limit is ten a minute per key. */
export async function replayCreated(
  client: HttpClient,
  customers: readonly Customer[],
  history: readonly Recorded<ChaosLine>[],
  recorder: Recorder<ChaosLine>,
): Promise<void> {
  const created = new Map<string, Created>();
  for (const line of history) if (line.kind === 'created') created.set(line.key, line);
  for (const customer of customers) {
    const { account } = customer;
    const mine = [...created.values()].filter(line => line.account === account);
    let token = '';
    for (const [at, { key, isPostable }] of mine.entries()) {
      if (at % replaysPerKey === 0) token = await mint(client, customer);
      const answer = await insist(client, { ...contentOf(customer, key, isPostable), token });
      if (answer.status !== 201) continue;
      recorder.write(createdLine({ account, key, isPostable, isAfterwards: true }, answer));
    }
  }
}

async function mint(client: HttpClient, customer: Customer): Promise<string> {
  const body = { name: 'afterwards', scopes: ['content:write'] };
  const asked = { method: 'POST', path: '/keys', token: customer.client.session, body } as const;
  return dataOf<{ key: string }>(await insist(client, asked)).key;
}

/** @throws Error when it is still undecided after many attempts */
async function insist(client: HttpClient, question: Omit<Question, 'ip'>): Promise<Answer> {
  for (let left = 40; left > 0; left -= 1) {
    const asked = { ...question, path: `/api/v1${question.path}`, ip: anyIp() };
    const answer = await client.send(0, asked).catch(() => null);
    if (isDecided(answer)) return answer;
    await wait(250);
  }
  throw new Error(`no answer to ${question.method} ${question.path}`);
}
