/**
 * The analytics service as a separate process that only answers requests; environment as one JSON argument.
 */

import { analytics } from '@hookline/analytics';
import { createPostgresLogBus } from '@hookline/shared/bus/postgres-log';
import { createLogger, createShutdown, exitOnSignals } from '@hookline/shared/kernel';
import { openDatabase } from '@hookline/shared/postgres';
import { startService } from '@hookline/shared/service';

const { env, busUrl } = JSON.parse(process.argv[2] ?? '{}') as {
  env: Record<string, string>;
  busUrl: string;
};
const log = createLogger({ level: 'info' });
const shutdown = createShutdown(log);
exitOnSignals(shutdown, log);
const database = openDatabase({ url: busUrl, connectionsMax: 2, name: 'bench bus', log });
shutdown.add('stores', 'bus database', () => database.close());
await startService(analytics, { env, bus: createPostgresLogBus({ database, log }), log, shutdown });
