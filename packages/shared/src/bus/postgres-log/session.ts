import type { Client } from 'pg';
import { closeDedicatedConnection, openDedicatedConnection, type Sql, toSql } from '../../postgres/index.ts';
import type { BusLog } from '../delivery.ts';
import type { TopicHeads } from './queries/log.ts';

export type LogSessionOptions = {
  connectionString: string;
  pollMs: number;
  log: BusLog;
  /** Called at each poll on the session's own connection, which also proves that the connection is alive. */
  onPoll: (sql: Sql) => Promise<void>;
  /** A publisher committed; the topics' new heads. */
  onHeads: (heads: TopicHeads) => void;
  /** The connection is gone, and every advisory lock with it. */
  onLost: () => void;
};

export type LogSession = {
  isOpen(): boolean;
  /** Polls now. Rejects when Postgres cannot be reached. */
  poll(): Promise<void>;
  close(): Promise<void>;
};

/**
 * The one connection outside the pool: it listens on `bus` and holds the groups' locks. It opens at the first
 * poll, and again one poll after it was lost.
 */
export function openLogSession(options: LogSessionOptions): LogSession {
  const { connectionString, pollMs, log, onPoll, onHeads, onLost } = options;
  let client: Client | undefined;
  let closed = false;
  let polling: Promise<void> | undefined;

  function drop(lost: Client, reason: string): void {
    if (client !== lost) return;
    client = undefined;
    void closeDedicatedConnection(lost);
    if (closed) return;
    log.warn({ reason }, 'the bus lost its lock connection; no message is handed out until it is back');
    onLost();
  }

  async function open(): Promise<Client> {
    const opened = await openDedicatedConnection(connectionString, 'hookline bus');
    opened.on('error', error => drop(opened, error.message));
    opened.on('end', () => drop(opened, 'the connection ended'));
    opened.on('notification', ({ payload }) => {
      const heads = parseHeads(payload);
      if (heads) onHeads(heads);
    });
    try {
      await opened.query('listen bus');
      return opened;
    } catch (error) {
      void closeDedicatedConnection(opened);
      throw error;
    }
  }

  async function pollOnce(): Promise<void> {
    client ??= await open();
    const current = client;
    try {
      await onPoll(toSql(async (text, values) => (await current.query(text, values as unknown[])).rows));
    } catch (error) {
      drop(current, error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  function poll(): Promise<void> {
    if (closed) return Promise.resolve();
    polling ??= pollOnce().finally(() => {
      polling = undefined;
    });
    return polling;
  }

  const timer = setInterval(() => {
    poll().catch(error => log.debug({ err: error }, 'the bus cannot reach Postgres'));
  }, pollMs).unref();

  return {
    isOpen: () => client !== undefined,
    poll,
    async close() {
      closed = true;
      clearInterval(timer);
      await polling?.catch(() => {});
      const last = client;
      client = undefined;
      if (last) await closeDedicatedConnection(last);
    },
  };
}

/** Any role of the database may notify, so unknown payloads are ignored. */
function parseHeads(payload: string | undefined): TopicHeads | null {
  try {
    const heads: unknown = JSON.parse(payload ?? '');
    if (typeof heads !== 'object' || heads === null) return null;
    return Object.values(heads).every(Number.isSafeInteger) ? (heads as TopicHeads) : null;
  } catch {
    return null;
  }
}
