import { startEmbeddedPostgres } from '../src/postgres.ts';

/** A process of its own that holds a Postgres until it is killed; the test reads its one line. */
const server = await startEmbeddedPostgres({ dataDir: process.argv[2] as string });
console.log(JSON.stringify({ pid: server.pid, port: server.port }));
setInterval(() => {}, 60_000);
