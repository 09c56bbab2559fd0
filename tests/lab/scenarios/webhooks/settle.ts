/**
 * After the faults: waits until everything was delivered, replaying through the API what would wait for
 * minutes.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '@hookline/shared/postgres';
import { apiOf } from '../../kit/clients/api.ts';
import type { Recorder } from '../../kit/run/history.ts';
import type { Endpoint } from '../../kit/servers/receivers.ts';
import type { Committed } from './check.ts';
import type { Customer } from './drive.ts';
import type { WebhookLine } from './history.ts';

// The first retry comes after 5 s; the second after 5 min, which a short run does not wait for.
const patienceMs = 8_000;

/** The owner's own count of its committed events. */
export function readCommitted(db: Database): Promise<Committed[]> {
  return db.query<Committed>('select resource, sequence from content.event_sequences order by resource');
}

/** @returns the numbers of open deliveries and of events missing from the feed when the time is over */
export async function settle(
  db: Database,
  baseUrl: string,
  customers: readonly Customer[],
  endpoints: readonly Endpoint[],
  withinMs: number,
  recorder: Recorder<WebhookLine>,
): Promise<{ open: number; replayed: number }> {
  const api = apiOf(baseUrl);
  const until = Date.now() + withinMs;
  let replayed = 0;
  for (;;) {
    const open = await countOpen(db);
    if (open === 0 || Date.now() > until) return { open, replayed };
    for (const { webhookId, id } of await listFarAway(db)) {
      const to = endpoints.find(one => one.webhookId === webhookId);
      const customer = customers.find(({ account }) => account === to?.account);
      if (!to || !customer) continue;
      await api('POST', `/webhooks/${webhookId}/deliveries/${id}/replay`, { token: customer.key });
      recorder.write({ kind: 'replay', endpoint: to.endpoint });
      replayed += 1;
    }
    await wait(500);
  }
}

async function countOpen(db: Database): Promise<number> {
  const [row] = await db.query<{ open: number }>(
    `select (select count(*) from automation.deliveries where status = 'pending')::int
       + (select coalesce(sum(sequence), 0) from content.event_sequences)::int
       - (select count(*) from automation.feed_events where type <> 'webhook.disabled')::int as open`,
  );
  return row?.open ?? 0;
}

function listFarAway(db: Database): Promise<{ webhookId: string; id: string }[]> {
  return db.query(
    `select webhook_id as "webhookId", id from automation.deliveries
     where status = 'pending' and next_attempt_at > now() + $1 * interval '1 ms' limit 200`,
    [patienceMs],
  );
}
