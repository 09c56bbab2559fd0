import type { Socket } from 'node:net';
import pg from 'pg';
import { suspectHost, within } from '../kernel/index.ts';

// A vanished host closes nothing: an idle connection to it is detected as dead after about 20 s.
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };
export const connectWithinMs = 5_000;

export type DedicatedOptions = {
  /**
   * A statement without an answer after this fails and the connection is closed; 0: never, and the server
   * sets no limit either. Default 5,000 ms.
   */
  queryTimeoutMs?: number;
};

/**
 * A connection outside the pool, for LISTEN and session locks. Callers reconnect by opening a new one, and
 * end it with `closeDedicatedConnection`.
 */
export async function openDedicatedConnection(
  url: string,
  name: string,
  { queryTimeoutMs = 5_000 }: DedicatedOptions = {},
): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: connectWithinMs,
    // Statements may be sent together, but for COPY.
    pipeline: queryTimeoutMs > 0,
    ...keepAlive,
  } as pg.ClientConfig);
  client.on('error', () => {});
  client.on('end', () => {
    if (!closing.has(client)) suspectHost(url);
  });
  try {
    await client.connect();
    const text = queryTimeoutMs > 0 ? serverKeepAlive : `${serverKeepAlive}; set statement_timeout = 0`;
    await client.query({ text, query_timeout: connectWithinMs } as pg.QueryConfig);
    limitSilence(client, queryTimeoutMs);
    return client;
  } catch (error) {
    cutOff(client);
    throw error;
  }
}

// The server must also detect that this host vanished: until then its locks are held, by default for over two
// hours.
const serverKeepAlive =
  'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3';

/** Connections that were alive when they were closed: their end says nothing about the host. */
const closing = new WeakSet<pg.ClientBase>();

/** Takes a lock that belongs to the connection. @returns false if another one holds it */
export async function tryLock(client: pg.ClientBase, key: number): Promise<boolean> {
  const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [key]);
  return rows[0]?.mine === true;
}

/** Closes the connection in order, or just the socket when that is not answered within 1 s. Never rejects. */
export async function closeDedicatedConnection(client: pg.Client): Promise<void> {
  if (!streamOf(client).destroyed) closing.add(client);
  await within(1_000, client.end(), 'Postgres did not end the connection').catch(() => cutOff(client));
}

/**
 * Closes the connection when an answer is due and nothing arrives for this long; 0 disables it. The `query_timeout` of
 * pg would keep every result alive until a full garbage collection: the closure of its callback refers to the query.
 */
export function limitSilence(client: pg.ClientBase, silenceMaxMs: number): void {
  const stream = streamOf(client);
  stream.setTimeout(silenceMaxMs);
  // As a callback of `setTimeout` it would be called once.
  stream.on('timeout', () => {
    const { readyForQuery } = client as unknown as { readyForQuery: boolean };
    if (!readyForQuery) stream.destroy(new Error(unanswered));
  });
}

/** The message of pg's own time limit. */
export const unanswered = 'Query read timeout';

/** Closes the socket without a goodbye, which a vanished peer would never answer. */
export function cutOff(client: pg.ClientBase): void {
  streamOf(client).destroy();
}

function streamOf(client: pg.ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
