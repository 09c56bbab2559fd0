/** Worker processes of a service on the database of one under test, to be killed or stopped. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createPostgresLogBus } from '@hookline/shared/bus/postgres-log';
import type { ServiceName } from '@hookline/shared/contracts/scopes';
import { createLogger, createShutdown, type SettingTable } from '@hookline/shared/kernel';
import { openDatabase } from '@hookline/shared/postgres';
import { type ServiceDefinition, startService } from '@hookline/shared/service';
import { signingKeysFor, type TestService } from './service-harness.ts';

const running = new Set<ChildProcess>();

/**
 * Starts a worker process. Resolves when it works.
 * @param script calls `runVictim`.
 * @param options.env of the service under test.
 */
export async function startVictim(
  script: URL,
  { database }: Pick<TestService, 'database'>,
  options: { name: ServiceName; env: Record<string, string>; timings: object },
): Promise<ChildProcess> {
  const env = {
    ...options.env,
    ROLE: 'worker',
    DATABASE_URL: database.roleUrl(options.name),
    SERVICE_SIGNING_KEYS: signingKeysFor(options.name),
  };
  const argument = JSON.stringify({ env, busUrl: database.roleUrl('bus'), timings: options.timings });
  const child = spawn(process.execPath, [fileURLToPath(script), argument], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once('data', () => resolve());
    child.once('exit', code => reject(new Error(`the victim ended with ${code} before it worked`)));
  });
  return child;
}

export async function endVictims(): Promise<void> {
  for (const child of running) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await new Promise(resolve => child.once('exit', resolve));
  }
  running.clear();
}

/** The main of such a process: what `startVictim` gave it is its one argument. */
export async function runVictim<T extends SettingTable, D>(
  define: (timings: object) => ServiceDefinition<T, D>,
): Promise<void> {
  const { env, busUrl, timings } = JSON.parse(process.argv[2] ?? '{}') as {
    env: Record<string, string>;
    busUrl: string;
    timings: object;
  };
  const log = createLogger({ service: 'victim', level: 'silent' });
  const database = openDatabase({ url: busUrl, connectionsMax: 4, name: 'victim bus', log });
  await startService(define(timings), {
    env: { ...env, PORT: '0', DATABASE_POOL_MAX: '6' },
    bus: createPostgresLogBus({ database, log }),
    log,
    shutdown: createShutdown(log),
  });
  process.stdout.write('ready\n');
}
