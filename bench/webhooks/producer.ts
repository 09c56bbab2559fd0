/**
 * Takes the place of content: commits events into content's outbox, whose own relay publishes them to Kafka.
 * A separate process, so that its work does not count as the receiver's. Communicates with its parent over
 * IPC.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { appendEvents, startOutboxRelay } from '@hookline/shared/bus';
import { createKafkaBus } from '@hookline/shared/bus/kafka';
import { jobCompleted } from '@hookline/shared/events';
import { createLogger, newId } from '@hookline/shared/kernel';
import { openDatabase } from '@hookline/shared/postgres';

export type ProducerOrder =
  /** Single events, each in a separate transaction, over the accounts in turn. */
  | { kind: 'stream'; perSecond: number; seconds: number; accountIds: string[] }
  /** Many events of one account, hundreds per transaction. */
  | { kind: 'bulk'; count: number; accountId: string }
  | { kind: 'stop' };

/** Ids with their commit times, nanoseconds of the machine's monotonic clock. */
export type ProducerAnswer = { ids: string[]; committedNs: string[]; lateMs: number };

const log = createLogger({ service: 'producer', level: 'warn' });
const url = process.env.DATABASE_URL ?? '';
const db = openDatabase({ url, connectionsMax: 6, name: 'bench producer', log });
const bus = createKafkaBus({
  brokers: (process.env.KAFKA_BROKERS ?? '').split(','),
  clientId: 'bench-producer',
  log,
});
const relay = startOutboxRelay({ service: 'content', db, bus, log });

function eventOf(accountId: string) {
  const subject = newId('content');
  const job = { ...jobCompleted.example.job, id: subject, resourceId: subject };
  return {
    accountId,
    subject,
    source: 'content',
    at: new Date(),
    data: { job, origin: null, waitsBecause: null },
  };
}

async function commit(accountIds: readonly string[]): Promise<string[]> {
  const events = accountIds.map(eventOf);
  const written = await db.transaction(tx => appendEvents(tx, jobCompleted, events));
  return written.map(({ id }) => id);
}

async function stream(
  perSecond: number,
  seconds: number,
  accountIds: readonly string[],
): Promise<ProducerAnswer> {
  const answer: ProducerAnswer = { ids: [], committedNs: [], lateMs: 0 };
  const total = Math.round(perSecond * seconds);
  const beganMs = performance.now();
  const inFlight = new Set<Promise<void>>();
  for (let sent = 0; sent < total; ) {
    const dueCount = Math.min(total, Math.floor(((performance.now() - beganMs) * perSecond) / 1_000) + 1);
    for (; sent < dueCount; sent += 1) {
      const one = commit([accountIds[sent % accountIds.length] as string]).then(([id]) => {
        answer.ids.push(id as string);
        answer.committedNs.push(String(process.hrtime.bigint()));
        inFlight.delete(one);
      });
      inFlight.add(one);
    }
    await wait(1);
  }
  await Promise.all(inFlight);
  answer.lateMs = performance.now() - beganMs - seconds * 1_000;
  return answer;
}

async function bulk(count: number, accountId: string): Promise<ProducerAnswer> {
  const answer: ProducerAnswer = { ids: [], committedNs: [], lateMs: 0 };
  for (let left = count; left > 0; left -= 500) {
    const ids = await commit(Array.from({ length: Math.min(500, left) }, () => accountId));
    answer.ids.push(...ids);
  }
  return answer;
}

process.on('message', (order: ProducerOrder) => {
  void (async () => {
    if (order.kind === 'stop') {
      await relay.stop();
      await bus.close();
      await db.close();
      process.disconnect();
    } else if (order.kind === 'bulk') process.send?.(await bulk(order.count, order.accountId));
    else process.send?.(await stream(order.perSecond, order.seconds, order.accountIds));
  })();
});
process.send?.('ready');
