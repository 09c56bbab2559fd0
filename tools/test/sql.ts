import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listSources } from './source-files.ts';

const PRODUCT = ['services', 'packages', 'ops', 'deploy'];
// `queries/`, and the file `queries*.ts` of a room.
const ELSEWHERE = /\/queries\/|^services\/[^/]+\/src\/.+\/queries[^/]*\.ts$|^packages\/testing\//;
const SQL_CALL = /\w\.(?:query|row|only|value|column|exists)\s*(?:<[^;(]*>)?\(/;
// Statements of a session or a transaction, which touch no row.
const SESSION_CALL = /\.query\((['`])(?:begin|commit|rollback|listen|notify|set|reset|analyze|select 1\1)/;

/** Files with SQL outside queries, and why. */
const MAY_HOLD_SQL: Readonly<Record<string, string>> = {
  'packages/shared/src/postgres/db.ts': 'the client: passes statements on, and holds those of a connection',
  'packages/shared/src/postgres/dedicated-connection.ts': 'the keepalive of a connection',
  'packages/shared/src/postgres/session-probe.ts': 'asks whether a pooler keeps sessions apart',
  'packages/shared/src/postgres/account-lock.ts': 'one advisory lock, which no table holds',
  'packages/shared/src/postgres/claim-database.ts': 'one lock of a session, and whether a role exists',
  'packages/shared/src/postgres/database-clock.ts': 'the time of the database, which no table holds',
  'packages/shared/src/postgres/migrate.ts': 'schemas, roles and the list of migrations',
  'packages/shared/src/bus/postgres-log/session.ts': 'passes statements on to a connection that listens',
  'packages/embedded/src/postgres.ts': 'asks a running server for its directory',
};

/**
 * Calls with SQL outside queries in what runs in production, as `file:line: text`. An exception that no
 * file needs is a complaint too.
 */
export function findSqlOutsideQueries(
  root: string,
  exceptions: Readonly<Record<string, string>> = MAY_HOLD_SQL,
): string[] {
  const files = listSources(root, PRODUCT).filter(file => !ELSEWHERE.test(file));
  const found = new Map(files.map(file => [file, sqlIn(root, file)]));
  return [
    ...[...found].flatMap(([file, calls]) => (file in exceptions ? [] : calls)),
    ...Object.keys(exceptions)
      .filter(file => !found.get(file)?.length)
      .map(file => `${file} holds no SQL: it needs no exception`),
  ];
}

function sqlIn(root: string, file: string): string[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  return lines.flatMap((line, index) =>
    SQL_CALL.test(line) && !SESSION_CALL.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
  );
}
