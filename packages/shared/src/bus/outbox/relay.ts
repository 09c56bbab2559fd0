/**
 * Transactional outbox: an event is a row written in the transaction of the change that it reports; the relay
 * publishes it afterwards and moves it to `outbox_sent`. At least once on the wire; the inbox makes effects
 * exactly once.
 */

import { propagation, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Logger } from '../../kernel/index.ts';
import { hourMs } from '../../kernel/index.ts';
import {
  type ConnectionSource,
  type Database,
  dedicatedConnections,
  isConnectionError,
  isPassingFault,
} from '../../postgres/index.ts';
import { type Bus, type BusMessage, RetryLaterError } from '../port.ts';
import { outboxChannel } from './append.ts';
import { createOutboxFloor, type OutboxFloor } from './floor.ts';
import {
  countRefusal,
  findFloor,
  findWaiting,
  type OutboxRow,
  setAside,
  takeRelayLock,
  writeFloor,
} from './queries/rows.ts';
import { keepSentDays, moveToSent } from './queries/sent.ts';

export type OutboxRelay = {
  /** Stops after the batch in flight; the rest stays in the table. */
  stop(): Promise<void>;
};

export type OutboxRelayOptions = {
  service: string;
  db: Database;
  bus: Bus;
  log: Logger;
  /** They open the connection that holds the lock. Default: one of its own, with the address of `db`. */
  connections?: ConnectionSource | undefined;
  /** Backstop for a lost notification. Default 2,000 ms. */
  pollMs?: number;
  batchMax?: number;
};

// Partitions of published events are created a day ahead, so an hour is often enough.
const keepDaysEveryMs = hourMs;
// A relay that starts skips what was published since the floor was last written: at most this much time.
const writeFloorEveryMs = 2_000;

// A row that the bus itself refuses this often is set aside for the operator. An unreachable bus does not
// count.
const attemptsMax = 10;

// The lock is held only while its connection lives, and a host that vanished sends nothing.
const proveEveryMs = 2_000;
/** A process that stands still (SIGSTOP, a paused container) keeps its connection: the server ends it. */
export const silenceMaxMs = 10_000;

/** Starts the relay of a service. Of several processes only the one that holds the lock publishes. */
export function startOutboxRelay(options: OutboxRelayOptions): OutboxRelay {
  const { service, log, pollMs = 2_000 } = options;
  const connections =
    options.connections ?? dedicatedConnections(options.db.connectionString, `${service} outbox relay`);
  const channel = outboxChannel(service);
  const stopped = new AbortController();
  // A counter, because a notification may arrive between a query and the pause after it.
  let wakeUps = 0;
  let endPause: () => void = () => {};
  const wake = (): void => {
    wakeUps += 1;
    endPause();
  };

  async function lead(): Promise<void> {
    const connection = await connections.take();
    let isConnected = true;
    const onEnd = (): void => {
      isConnected = false;
      wake();
    };
    const onNotification = (message: { channel: string }): void => {
      if (message.channel === channel) wake();
    };
    connection.on('end', onEnd);
    connection.on('notification', onNotification);
    const proof = setInterval(() => connection.query('select 1').catch(() => {}), proveEveryMs);
    try {
      await connection.query(`listen ${channel}`);
      let isLeader = false;
      let batch: (() => Promise<number>) | undefined;
      while (!stopped.signal.aborted && isConnected) {
        const seen = wakeUps;
        isLeader ||= await takeRelayLock(connection, service, silenceMaxMs);
        if (isLeader) batch ??= await openBatches(options);
        const moved = batch ? await batch() : 0;
        if (moved === 0) await pause(seen);
      }
    } finally {
      clearInterval(proof);
      connection.off('end', onEnd);
      connection.off('notification', onNotification);
      await connections.giveBack(connection);
    }
  }

  function pause(seen: number): Promise<void> {
    if (stopped.signal.aborted || wakeUps !== seen) return Promise.resolve();
    return new Promise(resolve => {
      const timer = setTimeout(resolve, pollMs);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  const running = (async () => {
    while (!stopped.signal.aborted) {
      try {
        await lead();
      } catch (error) {
        log.warn({ err: error }, 'the outbox relay failed and restarts');
        await pause(wakeUps);
      }
    }
  })();

  return {
    async stop() {
      stopped.abort();
      wake();
      await running;
    },
  };
}

/**
 * The work of the relay that holds the lock. @returns a function that publishes one batch and returns the
 * rows settled
 */
async function openBatches(options: OutboxRelayOptions): Promise<() => Promise<number>> {
  const { db, log } = options;
  const startFloor = await findFloor(db);
  const floor = createOutboxFloor(startFloor);
  let written = { floor: startFloor, atMs: Number.NEGATIVE_INFINITY };
  let keepDaysAtMs = 0;
  return async () => {
    const nowMs = performance.now();
    if (nowMs >= keepDaysAtMs) {
      keepDaysAtMs = nowMs + keepDaysEveryMs;
      // A failure delays nothing: a move whose partition is missing creates it.
      await keepSentDays(db).catch(error =>
        log.warn({ err: error }, 'days of published events were not kept'),
      );
    }
    const settled = await relayBatch(options, floor);
    if (floor.value > written.floor && nowMs >= written.atMs + writeFloorEveryMs) {
      await writeFloor(db, floor.value);
      written = { floor: floor.value, atMs: nowMs };
    }
    return settled;
  };
}

/** Publishes one batch and moves it. @returns the number of rows settled */
async function relayBatch(options: OutboxRelayOptions, floor: OutboxFloor): Promise<number> {
  const rows = await readWaiting(options.db, floor, options.batchMax ?? 500);
  const lastId = rows.at(-1)?.id;
  if (lastId === undefined) return 0;
  const { fresh, refusedFirst } = partition(rows);
  const { count, xid } = await relayRows(options, fresh);
  if (count === rows.length) floor.moved(lastId, xid);
  let settled = count;
  for (const row of refusedFirst) settled += (await relayRows(options, [row])).count;
  return settled;
}

/** Reads the oldest rows above the floor, and passes the snapshot's horizon to the floor. */
async function readWaiting(db: Database, floor: OutboxFloor, batchMax: number): Promise<OutboxRow[]> {
  const { rows, horizon } = await findWaiting(db, floor.value, batchMax);
  if (horizon !== null) floor.polled(horizon, rows[0]?.id);
  return rows;
}

/** A refused row delays only the later rows of its key. It is retried alone. */
function partition(rows: readonly OutboxRow[]): { fresh: OutboxRow[]; refusedFirst: OutboxRow[] } {
  const fresh: OutboxRow[] = [];
  const refusedFirst: OutboxRow[] = [];
  const heldBack = new Set<string>();
  for (const row of rows) {
    const key = keyOf(row);
    if (heldBack.has(key)) continue;
    if (row.attempts === 0) {
      fresh.push(row);
    } else {
      heldBack.add(key);
      refusedFirst.push(row);
    }
  }
  return { fresh, refusedFirst };
}

function keyOf(row: OutboxRow): string {
  return `${row.topic}\n${row.key}`;
}

/**
 * Publishes the rows and moves them. No transaction is open during the send. Rows that the bus refuses are
 * halved, down to those that it refuses alone: one is bad, or all together are too large.
 * @returns the number of rows moved, and the last transaction that moved any
 */
async function relayRows(
  options: OutboxRelayOptions,
  rows: readonly OutboxRow[],
  blockedKeys = new Set<string>(),
): Promise<{ count: number; xid: bigint }> {
  const { db, bus, log } = options;
  const [first, ...others] = rows.filter(row => !blockedKeys.has(keyOf(row)));
  if (!first) return { count: 0, xid: 0n };
  const due = [first, ...others];
  try {
    await publish(bus, due);
  } catch (error) {
    // A broker that goes away has not refused the rows, so those attempts do not count.
    if (isAway(error)) throw error;
    const health = await bus.health();
    if (!health.ok) throw new Error(`the bus cannot be reached: ${health.reason}`, { cause: error });
    if (others.length === 0) {
      blockedKeys.add(keyOf(first));
      await recordRefusal(db, log, first, error as Error);
      return { count: 0, xid: 0n };
    }
    const middle = Math.ceil(due.length / 2);
    const left = await relayRows(options, due.slice(0, middle), blockedKeys);
    const right = await relayRows(options, due.slice(middle), blockedKeys);
    return { count: left.count + right.count, xid: right.xid };
  }
  const ids = due.map(row => row.id);
  return { count: due.length, xid: await moveToSent(db, ids) };
}

async function recordRefusal(db: Database, log: Logger, row: OutboxRow, error: Error): Promise<void> {
  log.error({ err: error, topic: row.topic, attempts: row.attempts + 1 }, 'the bus refused an event');
  const reason = error.message.slice(0, 500);
  if (row.attempts + 1 < attemptsMax) await countRefusal(db, row.id, reason);
  else await setAside(db, row.id, reason);
}

function isAway(error: unknown): boolean {
  return error instanceof RetryLaterError || isConnectionError(error) || isPassingFault(error);
}

async function publish(bus: Bus, rows: readonly OutboxRow[]): Promise<void> {
  const spans = rows.flatMap(startSendSpan);
  try {
    await bus.publish(rows.map(toMessage));
  } catch (error) {
    for (const span of spans) {
      span.setAttribute('error.type', (error as Error).name);
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    throw error;
  } finally {
    for (const span of spans) span.end();
  }
}

/** None for an event whose trace is not sampled. The message keeps the context of the span that wrote it. */
function startSendSpan({ topic, headers }: OutboxRow): Span[] {
  const parent = propagation.extract(ROOT_CONTEXT, headers);
  if (!trace.getSpanContext(parent)) return [];
  const attributes = { 'messaging.destination.name': topic, 'messaging.operation.type': 'send' };
  return [
    trace.getTracer('hookline').startSpan(`send ${topic}`, { kind: SpanKind.PRODUCER, attributes }, parent),
  ];
}

function toMessage(row: OutboxRow): BusMessage {
  return { topic: row.topic, key: row.key, value: row.payload, headers: row.headers };
}
