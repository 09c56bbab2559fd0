import { startEmbeddedPostgres } from '../src/postgres.ts';

/** Holds a Postgres in a separate process until it is killed; the test reads its one line. */
const server = await startEmbeddedPostgres({ dataDir: process.argv[2] as string });
console.log(JSON.stringify({ pid: server.pid, port: server.port }));
setInterval(() => {}, 60_000);
