import type { DeliveryProgress } from '../delivery.ts';
import type { LogRow } from './queries/log.ts';

/**
 * Messages of one topic that are read ahead and not yet passed by the cursor. A crash repeats at most these.
 */
export const windowMax = 500;
const readMax = 100;

type Entry = { row: LogRow; settled: boolean; window: TopicWindow };

type TopicWindow = {
  topic: string;
  /** Last position known to be committed. */
  head: number;
  readTo: number;
  settledTo: number;
  savedTo: number;
  entries: Entry[];
};

/** The messages of one key, in order. Only the first is ever delivered. */
export type KeyQueue = { id: string; entries: Entry[]; progress?: DeliveryProgress };

/**
 * The read-ahead of one holder of a group's lock. It ends with the lock (`ended`); the next holder starts a
 * new one from the saved cursors. Pure bookkeeping, no I/O.
 */
export class ReadAhead {
  ended = false;
  /** A read, or a write of the cursors, is in progress. */
  filling = false;
  saving: Promise<void> | undefined;
  readonly ready: KeyQueue[] = [];
  readonly #windows: Map<string, TopicWindow>;
  readonly #queues = new Map<string, KeyQueue>();

  constructor(cursors: readonly { topic: string; position: number }[]) {
    this.#windows = new Map(
      cursors.map(({ topic, position }) => [
        topic,
        { topic, head: position, readTo: position, settledTo: position, savedTo: position, entries: [] },
      ]),
    );
  }

  noteHead(topic: string, head: number): void {
    const window = this.#windows.get(topic);
    if (window && head > window.head) window.head = head;
  }

  /** The next read that has both messages to find and room for them. */
  nextRead(): { topic: string; afterPosition: number; upTo: number; rowsMax: number } | null {
    for (const { topic, head, readTo, entries } of this.#windows.values()) {
      const room = windowMax - entries.length;
      // Do not read for a row or two each time the window advances by one.
      if (head > readTo && room >= readMax)
        return { topic, afterPosition: readTo, upTo: head, rowsMax: readMax };
    }
    return null;
  }

  add(read: { topic: string; upTo: number; rowsMax: number }, rows: readonly LogRow[]): void {
    const window = this.#windows.get(read.topic);
    if (!window) return;
    for (const row of rows) this.#enqueue(window, row);
    const lastRead = rows.at(-1)?.position ?? 0;
    // Fewer rows than requested: everything committed up to the head has been read (retention may have left
    // none).
    window.readTo = Math.max(window.readTo, lastRead, rows.length < read.rowsMax ? read.upTo : 0);
    this.#advance(window);
  }

  #enqueue(window: TopicWindow, row: LogRow): void {
    const entry = { row, settled: false, window };
    window.entries.push(entry);
    const id = `${row.topic} ${row.key}`;
    const queue = this.#queues.get(id);
    if (queue) {
      queue.entries.push(entry);
      return;
    }
    const started: KeyQueue = { id, entries: [entry] };
    this.#queues.set(id, started);
    this.ready.push(started);
  }

  /** The queue's first message is settled: the cursor may move, and the key's next message is ready. */
  settleFirst(queue: KeyQueue): void {
    const entry = queue.entries.shift();
    delete queue.progress;
    if (!entry) return;
    entry.settled = true;
    // It may wait long behind an unsettled message of another key, and only its position is needed.
    entry.row = { ...entry.row, value: '', headers: {} };
    this.#advance(entry.window);
    if (queue.entries.length > 0) this.ready.push(queue);
    else this.#queues.delete(queue.id);
  }

  #advance(window: TopicWindow): void {
    let passed = 0;
    while (window.entries[passed]?.settled) passed += 1;
    const last = window.entries[passed - 1];
    if (last) window.settledTo = last.row.position;
    window.entries.splice(0, passed);
    if (window.entries.length === 0) window.settledTo = window.readTo;
  }

  unsavedCursors(): { topic: string; position: number }[] {
    return [...this.#windows.values()]
      .filter(window => window.settledTo > window.savedTo)
      .map(window => ({ topic: window.topic, position: window.settledTo }));
  }

  noteSaved(cursors: readonly { topic: string; position: number }[]): void {
    for (const { topic, position } of cursors) {
      const window = this.#windows.get(topic);
      if (window) window.savedTo = position;
    }
  }
}
