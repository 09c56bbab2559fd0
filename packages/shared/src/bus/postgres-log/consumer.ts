import type { Database } from '../../postgres/index.ts';
import { attemptDelivery, type BusLog, type DeliveryHooks } from '../delivery.ts';
import type { BusMessage, StoredMessage, Subscription } from '../port.ts';
import { type LogRow, listCursors, listMessages, moveCursors, type TopicHeads } from './queries/log.ts';
import { type KeyQueue, ReadAhead } from './window.ts';

/** Messages of different keys that one group handles at the same time, unless it asks for more or fewer. */
const keysAtOnceUsual = 8;

export type LogConsumerOptions = {
  subscription: Subscription;
  database: Database;
  log: BusLog;
  hooks: DeliveryHooks;
  publishDeadLetter: (deadLetter: BusMessage) => Promise<void>;
};

export type LogConsumer = {
  readonly group: string;
  readonly topics: readonly string[];
  /**
   * True when the group's lock may be taken: it is not held, and no message of an earlier hold is in flight.
   */
  wantsLock(): boolean;
  /** The lock was acquired: continues from the saved cursors. */
  start(): Promise<void>;
  /** The lock was lost: stops delivery. Messages in flight finish without moving a cursor. */
  end(): void;
  noteHeads(heads: TopicHeads): void;
  /** Stops delivery, waits for the messages in flight, saves the cursors. */
  finish(): Promise<void>;
};

/** Reads a group's topics ahead, delivers each key's messages in order, and moves the cursor past them. */
export function createLogConsumer(options: LogConsumerOptions): LogConsumer {
  const { subscription, database, log, hooks, publishDeadLetter } = options;
  const { group, topics, handler, atOnce = keysAtOnceUsual } = subscription;
  let readAhead: ReadAhead | undefined;
  let finished = false;
  let inHand = 0;
  const idle = Promise.withResolvers<void>();

  function handOut(): void {
    while (readAhead && !finished && inHand < atOnce) {
      const queue = readAhead.ready.shift();
      if (!queue) return;
      inHand += 1;
      deliverFirst(readAhead, queue).then(() => {
        inHand -= 1;
        if (finished && inHand === 0) idle.resolve();
        handOut();
      });
    }
  }

  async function deliverFirst(current: ReadAhead, queue: KeyQueue): Promise<void> {
    const entry = queue.entries[0];
    if (!entry) return;
    const { progress } = queue;
    const message = toMessage(entry.row);
    const outcome = await attemptDelivery({
      ...{ group, message, handler, hooks, publishDeadLetter },
      ...(progress && { progress }),
    });
    if (current.ended) return;
    if (outcome.settled) {
      current.settleFirst(queue);
      void save(current);
      void fill(current);
      return;
    }
    queue.progress = outcome.progress;
    // The key waits outside its slot, so that waiting keys never block the others.
    setTimeout(() => {
      if (current.ended) return;
      current.ready.push(queue);
      handOut();
    }, outcome.retryAfterMs).unref();
  }

  /** An error ends this read only: the next poll starts it again. */
  async function fill(current: ReadAhead): Promise<void> {
    if (current.filling) return;
    current.filling = true;
    try {
      for (let read = current.nextRead(); read && !current.ended && !finished; read = current.nextRead()) {
        const rows = await listMessages(database, read.topic, read.afterPosition, read.rowsMax);
        if (current.ended) return;
        current.add(read, rows);
        handOut();
      }
    } catch (error) {
      log.debug({ group, err: error }, 'the bus could not read ahead');
    } finally {
      current.filling = false;
    }
  }

  /**
   * One write at a time. Messages that settle during it are included in the next, so a busy group writes
   * rarely.
   */
  async function save(current: ReadAhead): Promise<void> {
    if (current.saving) return;
    const unsaved = current.unsavedCursors();
    if (unsaved.length === 0) return;
    current.saving = moveCursors(database, group, unsaved);
    try {
      await current.saving;
      current.noteSaved(unsaved);
    } catch (error) {
      // The next message settled, or the next poll, tries again.
      log.debug({ group, err: error }, 'the bus could not save a cursor');
      return;
    } finally {
      current.saving = undefined;
    }
    return save(current);
  }

  return {
    group,
    topics,
    wantsLock: () => readAhead === undefined && inHand === 0 && !finished,
    async start() {
      const cursors = await listCursors(database, group, topics);
      if (!finished) readAhead = new ReadAhead(cursors);
    },
    end() {
      if (readAhead) readAhead.ended = true;
      readAhead = undefined;
    },
    noteHeads(heads) {
      if (!readAhead) return;
      for (const [topic, head] of Object.entries(heads)) readAhead.noteHead(topic, head);
      void fill(readAhead);
      void save(readAhead);
    },
    async finish() {
      finished = true;
      if (inHand > 0) await idle.promise;
      const last = readAhead;
      if (!last) return;
      await last.saving?.catch(() => {});
      await save(last);
    },
  };
}

function toMessage(row: LogRow): StoredMessage {
  const { topic, key, value, headers, position } = row;
  return { topic, key, value, headers, partition: 0, offset: String(position) };
}
