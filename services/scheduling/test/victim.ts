/** A process of the service to be killed or stopped: started with its environment as one JSON argument. */
import { createPostgresLogBus } from '@hookline/shared/bus/postgres-log';
import { createLogger, createShutdown } from '@hookline/shared/kernel';
import { openDatabase } from '@hookline/shared/postgres';
import { startService } from '@hookline/shared/service';
import { createScheduling } from '../src/service.ts';
import type { Timings } from '../src/timings.ts';

const { env, busUrl, timings } = JSON.parse(process.argv[2] ?? '{}') as {
  env: Record<string, string>;
  busUrl: string;
  timings: Partial<Timings>;
};
const log = createLogger({ service: 'victim', level: 'silent' });
const database = openDatabase({ url: busUrl, connectionsMax: 4, name: 'victim bus', log });
await startService(createScheduling({ pollMs: 500, firstPollMs: 50, ...timings }), {
  env: { ...env, PORT: '0', DATABASE_POOL_MAX: '6' },
  bus: createPostgresLogBus({ database, log }),
  log,
  shutdown: createShutdown(log),
});
process.stdout.write('ready\n');
