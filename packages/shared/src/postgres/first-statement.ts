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

/**
 * The first statement of a transaction with its `begin`, which the connection has prepared: they take one round trip.
 * No Sync is between the two, so the statement does not run when `begin` fails, which closes the connection.
 */
export function firstStatement(beginName: string, config: pg.QueryConfig, answer: Answer): pg.Query {
  const query = new pg.Query({ ...config, queryMode: 'extended' } as pg.QueryConfig, answer) as pg.Query &
    Handlers;
  const { submit, handleCommandComplete, handleError } = query;
  query.submit = connection => {
    connection.bind({ statement: beginName }, true);
    connection.execute(null, true);
    return submit.call(query, connection);
  };
  query.handleCommandComplete = () => Object.assign(query, { handleCommandComplete, handleError });
  query.handleError = (error, connection) => {
    connection.stream.destroy();
    handleError.call(query, error, connection);
  };
  return query;
}
