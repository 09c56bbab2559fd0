/**
 * Transactional outbox: an event is a row written in the transaction of the change it tells of; the relay
 * publishes it afterwards and deletes it. At least once on the wire; the inbox makes effects exactly once.
 */
import { type Bus, type BusMessage, RetryLaterError } from './bus/port.ts';
import { type Database, isConnectionError, openDedicatedConnection } from './db.ts';
import type { Logger } from './logger.ts';
import { outboxChannel } from './outbox-append.ts';

export { appendEvent, appendEvents, findLastSequence, type NewEvent } from './outbox-append.ts';

export type OutboxRelay = {
  /** Stops after the batch in hand; what is left stays in the table. */
  stop(): Promise<void>;
};

export type OutboxRelayOptions = {
  service: string;
  db: Database;
  bus: Bus;
  log: Logger;
  /** Backstop for a lost notification. Default 2,000 ms. */
  pollMs?: number;
  batchMax?: number;
};

type OutboxRow = {
  id: number;
  topic: string;
  key: string;
  payload: string;
  headers: Record<string, string>;
  attempts: number;
};

// After so many refusals of the row itself (never of the way to the bus) it is set aside for a person.
const attemptsMax = 10;

/** Starts the relay of a service. Of several processes only the one with the lock publishes; the others stand by. */
export function startOutboxRelay(options: OutboxRelayOptions): OutboxRelay {
  const { service, log, pollMs = 2_000 } = options;
  const stopped = new AbortController();
  // Counted, because one may come between a look and the pause after it.
  let wakeUps = 0;
  let endPause: () => void = () => {};
  const wake = (): void => {
    wakeUps += 1;
    endPause();
  };

  async function lead(): Promise<void> {
    const connection = await openDedicatedConnection(options.db.connectionString, `${service} outbox relay`);
    let isConnected = true;
    connection.on('end', () => {
      isConnected = false;
      wake();
    });
    connection.on('notification', wake);
    try {
      await connection.query(`listen ${outboxChannel(service)}`);
      let isLeader = false;
      while (!stopped.signal.aborted && isConnected) {
        const seen = wakeUps;
        if (!isLeader) {
          const lock = await connection.query<{ held: boolean }>(
            "select pg_try_advisory_lock(hashtext('hookline outbox'), hashtext($1)) as held",
            [service],
          );
          isLeader = lock.rows[0]?.held ?? false;
        }
        const moved = isLeader ? await relayBatch(options) : 0;
        if (moved === 0) await pause(seen);
      }
    } finally {
      await connection.end().catch(() => {});
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
        log.warn({ err: error }, 'the outbox relay lost its way and starts again');
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

/** Publishes one batch and deletes it. No transaction is open while the bus is asked. @returns rows settled. */
async function relayBatch({ db, bus, log, batchMax = 500 }: OutboxRelayOptions): Promise<number> {
  const rows = await db.query<OutboxRow>(
    'select id, topic, key, payload, headers, attempts from outbox order by id limit $1',
    [batchMax],
  );
  if (rows.length === 0) return 0;
  const { fresh, refusedFirst } = partition(rows);
  let settled = 0;
  if (fresh.length > 0) {
    try {
      await bus.publish(fresh.map(toMessage));
      await deleteRows(db, fresh);
      settled = fresh.length;
    } catch (error) {
      if (isAway(error)) throw error;
      const health = await bus.health();
      if (!health.ok) throw new Error(`the bus cannot be reached: ${health.reason}`, { cause: error });
      settled = await relayOneByOne(db, bus, log, fresh);
    }
  }
  return settled + (await relayOneByOne(db, bus, log, refusedFirst));
}

/** A row that was refused holds back the later ones of its key, and no others; it is tried again by itself. */
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

async function deleteRows(db: Database, rows: readonly OutboxRow[]): Promise<void> {
  await db.query('delete from outbox where id = any($1::bigint[])', [rows.map(row => row.id)]);
}

async function relayOneByOne(db: Database, bus: Bus, log: Logger, rows: OutboxRow[]): Promise<number> {
  let settled = 0;
  const blockedKeys = new Set<string>();
  for (const row of rows) {
    const key = keyOf(row);
    if (blockedKeys.has(key)) continue;
    try {
      await bus.publish([toMessage(row)]);
      await deleteRows(db, [row]);
      settled += 1;
    } catch (error) {
      // A broker that goes away in between refuses nothing: the row keeps its attempts.
      if (isAway(error)) throw error;
      blockedKeys.add(key);
      await recordRefusal(db, log, row, error as Error);
    }
  }
  return settled;
}

async function recordRefusal(db: Database, log: Logger, row: OutboxRow, error: Error): Promise<void> {
  log.error({ err: error, topic: row.topic, attempts: row.attempts + 1 }, 'the bus refused an event');
  if (row.attempts + 1 < attemptsMax) {
    await db.query('update outbox set attempts = attempts + 1, last_error = $2 where id = $1', [
      row.id,
      error.message.slice(0, 500),
    ]);
    return;
  }
  await db.query(
    `with dead as (delete from outbox where id = $1 returning *)
     insert into outbox_dead (id, event_id, topic, key, payload, headers, attempts, last_error, created_at)
     select id, event_id, topic, key, payload, headers, attempts + 1, $2, created_at from dead`,
    [row.id, error.message.slice(0, 500)],
  );
}

function isAway(error: unknown): boolean {
  return error instanceof RetryLaterError || isConnectionError(error);
}

function toMessage(row: OutboxRow): BusMessage {
  return { topic: row.topic, key: row.key, value: row.payload, headers: row.headers };
}
