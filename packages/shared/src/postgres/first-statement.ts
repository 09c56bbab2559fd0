import pg from 'pg';

type Answer = (error: Error | undefined, result: pg.QueryResult) => void;

/** What pg's client calls for each message of the server. */
type Handlers = {
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
  handleError(error: Error, connection: pg.Connection): void;
};

/** True once the connection has prepared the statement of that name. */
export function hasPrepared(client: pg.ClientBase, name = ''): boolean {
  const { parsedStatements } = (client as pg.Client).connection as {
    parsedStatements?: Record<string, string>;
  };
  return parsedStatements?.[name] !== undefined;
}

/** Makes the query of a statement that is sent before the answer to `begin`. */
export type Opening = (config: pg.QueryConfig, answer: Answer) => pg.Query;

// It lives as long as the transaction that `begin` has begun.
const beginPortal = 'begun';

/**
 * The first statement of a transaction with its `begin`, which the connection has prepared: they take one round trip.
 * No Sync is between the two, so the statement does not run when `begin` fails, which closes the connection.
 */
export function firstStatement(beginName: string): Opening {
  return (config, answer) => {
    const query = sentAfter(config, answer, connection => {
      connection.bind({ portal: beginPortal, statement: beginName }, true);
      connection.execute({ portal: beginPortal }, true);
    });
    const { handleCommandComplete, handleError } = query;
    query.handleCommandComplete = () => Object.assign(query, { handleCommandComplete, handleError });
    query.handleError = (error, connection) => {
      connection.stream.destroy();
      handleError.call(query, error, connection);
    };
    return query;
  };
}

/** One that is sent along with the first. Where `begin` failed its portal is missing, so the statement does not run. */
export const alongWithFirst: Opening = (config, answer) =>
  sentAfter(config, answer, connection => connection.describe({ type: 'P', name: beginPortal }, true));

function sentAfter(
  config: pg.QueryConfig,
  answer: Answer,
  send: (connection: pg.Connection) => void,
): pg.Query & Handlers {
  const query = new pg.Query({ ...config, queryMode: 'extended' } as pg.QueryConfig, answer) as pg.Query &
    Handlers;
  const { submit } = query;
  query.submit = connection => {
    send(connection);
    return submit.call(query, connection);
  };
  return query;
}
