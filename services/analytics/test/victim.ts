/** A process of the service to be killed: started with its environment as one JSON argument. */
import { createPostgresLogBus } from '@hookline/shared/bus/postgres-log';
import { openDatabase } from '@hookline/shared/db';
import { createLogger } from '@hookline/shared/logger';
import { startService } from '@hookline/shared/service';
import { createShutdown } from '@hookline/shared/shutdown';
import type { Timings } from '../src/options.ts';
import { createAnalytics } from '../src/service.ts';

const { env, busUrl, timings } = JSON.parse(process.argv[2] ?? '{}') as {
  env: Record<string, string>;
  busUrl: string;
  timings: Partial<Timings>;
};
const log = createLogger({ service: 'victim', level: 'silent' });
const database = openDatabase({ url: busUrl, connectionsMax: 4, name: 'victim bus', log });
await startService(createAnalytics(timings), {
  env: { ...env, PORT: '0', DATABASE_POOL_MAX: '6' },
  bus: createPostgresLogBus({ database, log }),
  log,
  shutdown: createShutdown(log),
});
process.stdout.write('ready\n');
