import { hourMs, within } from '../../kernel/index.ts';
import type { Database, Sql } from '../../postgres/index.ts';
import { type BusLog, type DeliveryHooks, loggedHooks } from '../delivery.ts';
import { type Bus, type BusMessage, readBackAtOnce } from '../port.ts';
import { refuseUnknownTopics, withDeadLetterTopics } from '../topic-names.ts';
import { createLogConsumer, type LogConsumer } from './consumer.ts';
import {
  deleteSettledMessages,
  deleteSettledOf,
  insertCursors,
  insertMessages,
  insertTopics,
  listLags,
  listMessagesBefore,
  lockTopics,
  readHeads,
  type TopicHeads,
  tryLockGroup,
} from './queries/log.ts';
import { openLogSession } from './session.ts';

const deletedAtOnceMax = 1_000;
const retentionEveryMs = hourMs;

export type PostgresLogOptions = {
  /** Opened with the role `bus`. The caller closes it, after the bus. */
  database: Database;
  log: BusLog;
  /** Backstop for notifications, take-over and reconnection; 1,000 to 2,000. Default 1,000. */
  pollMs?: number;
  /** Days for which a message that all groups have settled is kept. Default 7. */
  retentionDays?: number;
  hooks?: DeliveryHooks;
};

/**
 * The bus of the embedded mode: Kafka's promises from one Postgres schema. One process at a time consumes for
 * a group (a session advisory lock); another that subscribes stands by and takes over within two polls.
 */
export function createPostgresLogBus(options: PostgresLogOptions): Bus {
  const { database, log, pollMs = 1_000, retentionDays = 7, hooks } = options;
  const consumers = new Map<string, LogConsumer>();
  let closed = false;

  const session = openLogSession({
    connectionString: database.connectionString,
    pollMs,
    log,
    onPoll: pollConsumers,
    onHeads: noteHeads,
    onLost: () => {
      for (const consumer of consumers.values()) consumer.end();
    },
  });

  async function pollConsumers(sql: Sql): Promise<void> {
    for (const consumer of consumers.values()) {
      if (consumer.wantsLock() && (await tryLockGroup(sql, consumer.group))) await consumer.start();
    }
    const topics = new Set([...consumers.values()].flatMap(consumer => consumer.topics));
    if (topics.size > 0) noteHeads(await readHeads(sql, [...topics]));
  }

  function noteHeads(heads: TopicHeads): void {
    for (const consumer of consumers.values()) consumer.noteHeads(heads);
  }

  async function publish(batch: readonly BusMessage[]): Promise<void> {
    if (closed) throw new Error('the bus is closed');
    if (batch.length === 0) return;
    const topics = [...new Set(batch.map(message => message.topic))];
    const heads = await database.transaction(async tx => {
      refuseUnknownTopics(topics, new Set(await lockTopics(tx, topics)));
      return insertMessages(tx, batch);
    });
    // Faster than the notification, which follows for the other processes.
    noteHeads(heads);
  }

  const retention = setInterval(() => {
    deleteOldMessages(database, retentionDays).catch(error =>
      log.warn({ err: error }, 'bus retention failed'),
    );
  }, retentionEveryMs).unref();

  return {
    ensureTopics: topics => insertTopics(database, withDeadLetterTopics(topics)),
    publish,
    async subscribe(subscription) {
      const { group, topics } = subscription;
      if (closed) throw new Error('the bus is closed');
      if (consumers.has(group)) throw new Error(`the group ${group} is already subscribed in this process`);
      const known = await readHeads(database, topics);
      refuseUnknownTopics(topics, new Set(Object.keys(known)));
      await insertCursors(database, group, topics);
      const consumer = createLogConsumer({
        ...{ subscription, database, log, hooks: loggedHooks(log, hooks) },
        publishDeadLetter: deadLetter => publish([deadLetter]),
      });
      consumers.set(group, consumer);
      try {
        // Twice, because a read in progress may have passed this group.
        await session.poll();
        await session.poll();
      } catch (error) {
        consumers.delete(group);
        consumer.end();
        throw error;
      }
    },
    async lag(group, topics) {
      const lags = await listLags(database, group, topics);
      return lags.map(one => ({ group, partition: 0, ...one }));
    },
    async deleteSettled(group, topics) {
      await deleteInBatches(rowsMax => deleteSettledOf(database, group, topics, rowsMax));
    },
    async readBack(topic, take) {
      const { [topic]: head } = await readHeads(database, [topic]);
      if (head === undefined) throw new Error(`the topic ${topic} was never made`);
      for (let before = head + 1; ; ) {
        const rows = await listMessagesBefore(database, topic, before, readBackAtOnce);
        const [oldest] = rows;
        if (!oldest) return;
        const stored = rows.map(({ position, ...row }) => ({
          ...row,
          partition: 0,
          offset: String(position),
        }));
        if (!(await take(stored))) return;
        before = oldest.position;
      }
    },
    async health() {
      if (closed) return { ok: false, reason: 'the bus is closed' };
      if (consumers.size > 0 && !session.isOpen()) {
        return { ok: false, reason: 'the connection that holds the group locks is down' };
      }
      try {
        await within(1_500, readHeads(database, []), 'Postgres gave no answer');
        return { ok: true };
      } catch (error) {
        return { ok: false, reason: error instanceof Error ? error.message : String(error) };
      }
    },
    async close(timeoutMs = 10_000) {
      clearInterval(retention);
      const finished = Promise.all([...consumers.values()].map(consumer => consumer.finish()));
      await within(timeoutMs, finished, 'handlers are still at work').catch(error =>
        log.warn({ err: error }, 'the bus closes with messages in flight; they will be delivered again'),
      );
      // Until here, dead letters of messages in flight can still be written.
      closed = true;
      for (const consumer of consumers.values()) consumer.end();
      await session.close();
    },
  };
}

/** Deletes settled messages older than the given days, in small batches; returns their number. */
export function deleteOldMessages(database: Sql, retentionDays: number): Promise<number> {
  return deleteInBatches(rowsMax => deleteSettledMessages(database, retentionDays, rowsMax));
}

async function deleteInBatches(deleteSome: (rowsMax: number) => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const deleted = await deleteSome(deletedAtOnceMax);
    total += deleted;
    if (deleted < deletedAtOnceMax) return total;
  }
}
