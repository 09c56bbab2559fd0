import pg from 'pg';
import type { Logger } from '../kernel/index.ts';
import { connectCodes, noteCommit, onSuspicion, recordCall, sha256, suspectHost } from '../kernel/index.ts';
import { CommitUnknownError, rethrowCommitError, rethrowQueryError } from './commit-unknown.ts';
import { watchPool } from './db-metrics.ts';
import { connectWithinMs, cutOff, keepAlive, limitSilence, unanswered } from './dedicated-connection.ts';
import { alongWithFirst, firstStatement, hasPrepared, type Opening } from './first-statement.ts';
import { createNotifier } from './notifier.ts';

/** A pool or an open transaction. Values are always parameters, never part of the text. */
export type Sql = {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** The first row, or null. */
  row<Row>(text: string, values?: readonly unknown[]): Promise<Row | null>;
  /** The row of a statement that always gives one. */
  only<Row>(text: string, values?: readonly unknown[]): Promise<Row>;
  /** The first value of the first row; null without a row, which its type then says. */
  value<Value>(text: string, values?: readonly unknown[]): Promise<Value>;
  /** The first value of each row. */
  column<Value>(text: string, values?: readonly unknown[]): Promise<Value[]>;
  /** True when there is a row. */
  exists(text: string, values?: readonly unknown[]): Promise<boolean>;
};

/** Each form asks `query` of the object that it is called on, which may be another one than given here. */
export function toSql(query: Sql['query']): Sql {
  return {
    query,
    async row<Row>(text: string, values?: readonly unknown[]) {
      const [row] = await this.query<Row>(text, values);
      return row ?? null;
    },
    async only<Row>(text: string, values?: readonly unknown[]) {
      const row = await this.row<Row>(text, values);
      if (row === null) throw new Error('the statement gave no row');
      return row;
    },
    async value<Value>(text: string, values?: readonly unknown[]) {
      const [value = null] = await this.column<Value>(text, values);
      return value as Value;
    },
    async column<Value>(text: string, values?: readonly unknown[]) {
      const rows = await this.query<Record<string, Value>>(text, values);
      return rows.map(row => Object.values(row)[0] as Value);
    },
    async exists(text, values) {
      return (await this.query(text, values)).length > 0;
    },
  };
}

/**
 * A transaction in progress. A separate type, so that a pool cannot be passed where work must be atomic.
 * Statements that do not depend on each other's answers may be sent together (`Promise.all`): they run in
 * that order, in one round trip.
 */
export type Transaction = Sql & {
  readonly inTransaction: true;
  /**
   * Notifies the channel's listeners, after the commit and never before it. Only a hint: it is lost when the
   * process dies in between, so every listener also polls.
   */
  notifyAfterCommit(channel: string): void;
};

export type Database = Sql & {
  readonly connectionString: string;
  /**
   * Runs the work in one transaction; rolls back when it throws.
   * @throws CommitUnknownError when the answer to the commit was lost
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs reads that all see the same instant. */
  snapshot<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

export type DatabaseOptions = {
  url: string;
  /** Most connections of this pool. */
  connectionsMax: number;
  name: string;
  log: Logger;
  /** Longest that one statement may run. Default 10,000 ms; benchmarks and imports need more. */
  statementMaxMs?: number;
};

// 64-bit integers stay text unless they fit a number exactly: counters here do.
pg.types.setTypeParser(pg.types.builtins.INT8, text => {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
});

// Longer than the server's own statement limit, so that a live server always answers first.
const answerGraceMs = 5_000;

/**
 * A bounded pool. A query waits at most 5 s for a connection, runs at most `statementMaxMs`, and fails 5 s
 * later without an answer, whatever the server's state.
 */
export function openDatabase({
  url,
  connectionsMax,
  name,
  log,
  statementMaxMs = 10_000,
}: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    application_name: name,
    connectionTimeoutMillis: connectWithinMs,
    idleTimeoutMillis: 30_000,
    pipeline: true,
    ...keepAlive,
    onConnect: client => setUp(client, statementMaxMs),
  });
  // Without a listener a connection that dies while idle ends the process (57P01 when Postgres stops).
  pool.on('error', (error: Error & { client?: unknown }) => {
    // It has the key that cancels the connection's statements.
    delete error.client;
    log.warn({ err: error }, 'an idle database connection was lost');
  });
  watchPool(pool, name, connectionsMax);
  const notifier = createNotifier(channels =>
    answered(notifyStatement, pool.query(notifyStatement, [channels])),
  );

  /** @param text carries no values, so it may leave the process */
  async function answered<T>(text: string, answer: Promise<T>): Promise<T> {
    try {
      return await recordCall(answer, () => ({
        'db.system.name': 'postgresql',
        'db.operation.name': /[a-z]+/i.exec(text)?.[0].toLowerCase() ?? '',
        'db.query.text': text,
        'db.client.connection.pool.name': name,
      }));
    } catch (error) {
      if (isUnanswered(error)) suspectHost(url);
      // Leads back to who asked; the one that pg made leads to the socket.
      Error.captureStackTrace(error as Error);
      throw error;
    }
  }

  const stopListening = onSuspicion(url, dropIdle);

  function dropIdle(): void {
    for (let left = pool.idleCount; left > 0; left -= 1) {
      pool.connect().then(
        client => {
          client.release(true);
          cutOff(client);
        },
        () => {},
      );
    }
  }

  async function inTransaction<T>(begin: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let broken: Error | undefined;
    // A checked-out client whose connection dies reports it here and by the query in flight.
    const onError = (error: Error): void => {
      broken = error;
    };
    client.on('error', onError);
    // A statement may fail while another that was sent with it still runs: the follow-up of that one must not
    // run outside the transaction.
    let isOver = false;
    let fault: unknown;
    const beginName = nameOf(begin);
    let opening = hasPrepared(client, beginName) ? firstStatement(beginName as string) : undefined;
    let hasBegun = opening === undefined;
    const channels: string[] = [];
    const tx: Transaction = {
      ...toSql(async <Row>(text: string, values?: readonly unknown[]) => {
        if (isOver) throw new Error('the transaction is over');
        try {
          const answer = runPrepared<Row>(client, text, values, opening);
          if (!hasBegun) opening = alongWithFirst;
          hasBegun = true;
          return await answered(text, answer);
        } catch (error) {
          fault ??= error;
          // 25P02: refused because an earlier statement failed. Of statements sent together it may be thrown
          // first, and says nothing of the cause, by which callers decide whether to try again.
          throw (error as { code?: string }).code === '25P02' ? fault : error;
        } finally {
          opening = undefined;
        }
      }),
      inTransaction: true,
      notifyAfterCommit: channel => channels.push(channel),
    };
    try {
      if (hasBegun) await answered(begin, run(client, { text: begin, name: beginName }));
      const result = await work(tx);
      isOver = true;
      if (hasBegun) await answered('commit', run(client, { text: 'commit' })).catch(rethrowCommitError);
      if (begin === 'begin') noteCommit();
      if (channels.length > 0) notifier.notify(channels);
      return result;
    } catch (error) {
      isOver = true;
      // A lost connection cannot answer a rollback; the server ends the transaction with the connection.
      if (isConnectionLost(error)) broken ??= error;
      if (hasBegun && !broken) {
        await answered('rollback', run(client, { text: 'rollback' })).catch((rollbackError: Error) => {
          broken = rollbackError;
        });
      }
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  return {
    connectionString: url,
    ...toSql(<Row>(text: string, values?: readonly unknown[]) =>
      answered(text, run<Row>(pool, { text, values })).catch(error => rethrowQueryError(error, text)),
    ),
    transaction: work => inTransaction('begin', work),
    snapshot: work => inTransaction('begin isolation level repeatable read read only', work),
    async close() {
      notifier.stop();
      stopListening();
      await pool.end();
    },
  };
}

// Not as startup parameters: PgBouncer refuses unknown ones. A connection whose settings fail is discarded.
async function setUp(client: pg.ClientBase, statementMaxMs: number): Promise<void> {
  const text = `set statement_timeout = ${statementMaxMs}; set idle_in_transaction_session_timeout = '15s'`;
  await client.query({ text, query_timeout: connectWithinMs } as pg.QueryConfig);
  limitSilence(client, statementMaxMs + answerGraceMs);
}

// It writes nothing that must survive a crash, so its commit need not wait for the disk.
const notifyStatement = `select set_config('synchronous_commit', 'off', true), pg_notify(channel, '')
  from unnest($1::text[]) as asked (channel)`;

// Texts come from query files, so there are few; one that is built dynamically must not fill the server.
const preparedMax = 500;
// The digest is computed once per text, not once per statement.
const preparedNames = new Map<string, string>();

/**
 * Runs it as a named statement: Postgres plans it once per connection, which saves a third of its time on
 * `POST /content`. For transactions only: lists, whose conditions drop out with a null, are planned for each
 * call's values.
 */
function runPrepared<Row>(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[] | undefined,
  opening: Opening | undefined,
): Promise<Row[]> {
  writeOncePerTurn(client);
  const name = values && values.length > 0 ? nameOf(text) : undefined;
  return run(client, { text, values, name }, opening);
}

/**
 * Statements that are sent together leave in one write: each write wakes the server's process, which costs
 * more than many statements do.
 */
function writeOncePerTurn(client: pg.ClientBase): void {
  const { stream } = (client as pg.Client).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/**
 * Named by its text, so that a name means the same statement in every process: where a pooler shares server
 * connections between them, a wrong statement would otherwise run with our parameters.
 */
function nameOf(text: string): string | undefined {
  const known = preparedNames.get(text);
  if (known !== undefined || preparedNames.size >= preparedMax) return known;
  const name = `hookline_${sha256(text).toString('hex').slice(0, 16)}`;
  preparedNames.set(text, name);
  return name;
}

/** With a callback: the one of the promise that pg makes refers to the query, like that of `query_timeout`. */
function run<Row>(
  target: pg.Pool | pg.ClientBase,
  statement: { text: string; values?: readonly unknown[] | undefined; name?: string | undefined },
  opening?: Opening,
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | undefined, result: pg.QueryResult) =>
      error ? reject(error) : resolve(result.rows as Row[]);
    const config = statement as pg.QueryConfig;
    if (opening) (target as pg.ClientBase).query(opening(config, done));
    else target.query(config, done);
  });
}

/** An array of each field of the rows, as `unnest` takes them. */
export function columnsOf<Row, Key extends keyof Row>(rows: readonly Row[], ...keys: Key[]): Row[Key][][] {
  return keys.map(key => rows.map(row => row[key]));
}

export function isDatabaseError(error: unknown): error is Error & { code?: string; constraint?: string } {
  if (error instanceof pg.DatabaseError) return true;
  return isConnectionError(error);
}

/**
 * True when the fault is in the connection or the server's availability, so that the same call may succeed
 * later.
 */
export function isConnectionError(error: unknown): boolean {
  if (isConnectionLost(error)) return true;
  // 53: out of resources; 40: serialization and deadlock; 55P03: lock time-out.
  return error instanceof Error && /^(53|40|55P03)/.test((error as { code?: string }).code ?? '');
}

/** True when the connection is gone. A statement in flight may or may not have been executed. */
function isConnectionLost(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (error instanceof CommitUnknownError) return true;
  const code = (error as { code?: string }).code ?? '';
  // Class 08: connection; 57P: shutdown; 25P03 and 25P04: the server ended a session for its transaction;
  // 25006: a write at a server that is a standby now, so the connection must be made again.
  if (/^(08|57P|25P03|25P04|25006)/.test(code)) return true;
  if (connectCodes.has(code) || ['ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(code)) return true;
  return isUnanswered(error) || lostMessages.test(error.message);
}

const lostMessages = /Connection terminated|timeout exceeded when trying to connect|Client has encountered/;

/**
 * True when the client stopped waiting: pg reports that only by this message, and has closed the connection.
 */
function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === unanswered;
}

/**
 * True when Postgres ended the statement or transaction because of concurrent work: a time limit (57014,
 * 25P03, 25P04), a lock (55P03), a deadlock or a serialization failure (class 40). The same work may succeed
 * later.
 */
export function isPassingFault(error: unknown): error is Error {
  if (!(error instanceof pg.DatabaseError)) return false;
  return /^(40|55P03|57014|25P03|25P04)/.test(error.code ?? '');
}

/** True for a violation of the named unique index or constraint. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === constraint;
}
