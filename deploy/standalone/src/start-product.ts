/** The whole product in one process: Postgres, bus, simulators, the five services. */
import { join } from 'node:path';
import { analytics } from '@hookline/analytics';
import { automation } from '@hookline/automation';
import { content } from '@hookline/content';
import { lockDataFolder, startEmbeddedPostgres } from '@hookline/embedded';
import { freePort } from '@hookline/embedded/free-port';
import { loadSecrets, ringOf, type Secrets, signingKeysOf } from '@hookline/embedded/secrets';
import { type ConsoleEntry, createConsoleEntry, createGateway } from '@hookline/gateway';
import { scheduling } from '@hookline/scheduling';
import { createPostgresLogBus } from '@hookline/shared/bus/postgres-log';
import type { ServiceName } from '@hookline/shared/contracts/scopes';
import type { Logger, SettingTable, Shutdown } from '@hookline/shared/kernel';
import {
  claimDatabase,
  migrateAll,
  openDatabase,
  openWakeUp,
  shareConnection,
} from '@hookline/shared/postgres';
import { type RunningService, type ServiceDefinition, startService } from '@hookline/shared/service';
import { startSimulators } from '@hookline/simulators/simulators';
import { choosePlatforms, usesSimulators } from './platforms.ts';
import type { StandaloneSettings } from './standalone-settings.ts';

export type RunningProduct = {
  gatewayUrl: string;
  consoleEntry: ConsoleEntry;
  publicUrl: string;
  /** Null where nothing uses them. */
  simulatorsUrl: string | null;
  /** Opens the simulators' pages with their controls; null as well. */
  simulatorsEnterUrl: string | null;
  isTiktokSimulated: boolean;
  isAppStoreSimulated: boolean;
  isSignUpOpen: boolean;
  /** Null where DATABASE_URL names one. */
  postgres: { port: number; pid: number } | null;
};

export type ProductOptions = {
  settings: StandaloneSettings;
  /** Environment for the services' settings; the values set here take precedence. */
  env: Record<string, string | undefined>;
  dataDir: string;
  log: Logger;
  /** The services log here and name themselves in their lines. */
  root: Logger;
  shutdown: Shutdown;
  /** Called once when Postgres ends before it is stopped, or another product takes the database. */
  onDatabaseLost: (reason: string) => void;
};

/**
 * Starts everything in dependency order. Each part registers its stop, so that a failure half-way leaves
 * nothing running.
 */
export async function startProduct({
  settings,
  env,
  dataDir,
  log,
  root,
  shutdown,
  onDatabaseLost,
}: ProductOptions): Promise<RunningProduct> {
  const secrets = await loadSecrets(dataDir);
  const options = { settings, dataDir, log, shutdown, onDatabaseLost };
  const { adminUrl, embedded } = await openPostgres(options, secrets);
  await migrateAll({ adminUrl, passwords: secrets.databasePasswords });
  const busUrl = roleUrl(adminUrl, 'bus', secrets);
  const bus = openBus(busUrl, log, shutdown);
  // One for all: each connection keeps a process of Postgres, 2 MB.
  const wakeUp = openWakeUp(busUrl, 'hookline wake-up', log);
  shutdown.add('stores', 'wake-up', () => wakeUp.close());
  const relayConnections = shareConnection(busUrl, 'hookline outbox relays');

  const port = settings.PORT || (await freePort());
  const publicUrl = settings.PUBLIC_URL ?? `http://localhost:${port}`;
  const simulated = { clientKey: 'simulator-client-key', clientSecret: secrets.simulatedClientSecret };
  const simulators = usesSimulators(settings)
    ? await startSimulators({
        port: settings.SIMULATORS_PORT,
        host: settings.HOST,
        dataDir: join(dataDir, 'simulators'),
        controlToken: settings.SIMULATORS_CONTROL_TOKEN,
        ...simulated,
        webhookUrl: `http://127.0.0.1:${port}/platform/tiktok/events`,
      })
    : null;
  if (simulators) shutdown.add('requests', 'simulators', () => simulators.close());
  const simulatorsUrl = simulators && `http://localhost:${simulators.port}`;
  const platforms = choosePlatforms(settings, simulatorsUrl, simulated);

  const keys = { ENCRYPTION_KEYS: ringOf(secrets), MEDIA_SIGNING_KEY: `first:${secrets.mediaSigningKey}` };
  const ownKeys = Object.fromEntries(
    Object.entries(keys).filter(([name]) => !env[name] && !env[`${name}_FILE`]),
  );
  const peers: Record<string, string> = {};
  const environmentOf = (name: ServiceName, change: ProductOptions['env']) => ({
    bus,
    log: root,
    shutdown,
    wakeUp,
    relayConnections,
    env: {
      ...env,
      ...ownKeys,
      ...platforms.env,
      ...peers,
      PORT: '0',
      HOST: '127.0.0.1',
      ROLE: 'all',
      PUBLIC_URL: publicUrl,
      DATA_DIR: dataDir,
      WITNESS_FILE: env.WITNESS_FILE || join(dataDir, 'witness.json'),
      DATABASE_URL: roleUrl(adminUrl, name, secrets),
      // Six pools share one Postgres: enough for one machine, and little when idle.
      DATABASE_POOL_MAX: '8',
      SERVICE_SIGNING_KEYS: signingKeysOf(secrets, name),
      ...change,
    },
  });
  // In the order of their calls to each other: a service receives the addresses of those before it.
  const started: RunningService[] = [];
  const start = async <T extends SettingTable, D>(
    definition: ServiceDefinition<T, D>,
    change: ProductOptions['env'] = {},
  ): Promise<string> => {
    const service = await startService(definition, environmentOf(definition.name, change));
    started.push(service);
    return service.url;
  };
  peers.CONTENT_URL = await start(content);
  peers.SCHEDULING_URL = await start(scheduling);
  peers.AUTOMATION_URL = await start(automation);
  peers.ANALYTICS_URL = await start(analytics);
  // The only instance, so it counts in memory.
  const consoleEntry = createConsoleEntry();
  const signUp = env.SIGN_UP || (env.OIDC_ISSUER ? 'closed' : 'open');
  const gatewayUrl = await start(createGateway({ consoleEntry }), {
    PORT: String(port),
    HOST: settings.HOST,
    REDIS_URL: undefined,
    SIGN_UP: signUp,
  });
  await Promise.all(started.map(service => service.joined));
  return {
    gatewayUrl,
    consoleEntry,
    publicUrl,
    simulatorsUrl,
    simulatorsEnterUrl: simulators?.enterUrl ?? null,
    isTiktokSimulated: platforms.isTiktokSimulated,
    isAppStoreSimulated: platforms.isAppStoreSimulated,
    isSignUpOpen: signUp === 'open',
    postgres: embedded,
  };
}

/** Starts the Postgres of the data folder, or takes the one that DATABASE_URL names and locks the folder. */
async function openPostgres(
  {
    settings: { DATABASE_URL },
    dataDir,
    log,
    shutdown,
    onDatabaseLost,
  }: Pick<ProductOptions, 'settings' | 'dataDir' | 'log' | 'shutdown' | 'onDatabaseLost'>,
  secrets: Secrets,
) {
  const folder = join(dataDir, 'postgres');
  const logLine = (line: string): void => log.info(line);
  if (DATABASE_URL !== undefined) {
    const unlock = lockDataFolder(folder, logLine);
    shutdown.add('telemetry', 'data folder', async () => unlock());
    const release = await claimDatabase({
      adminUrl: DATABASE_URL,
      ownUrl: roleUrl(DATABASE_URL, 'bus', secrets),
      secretsFile: join(dataDir, 'secrets.json'),
      onLost: onDatabaseLost,
    });
    shutdown.add('telemetry', 'database', release);
    return { adminUrl: DATABASE_URL, embedded: null };
  }
  const { url, port, pid, stop } = await startEmbeddedPostgres({
    dataDir: folder,
    log: logLine,
    onExit: reason => onDatabaseLost(`${reason} Its log is ${join(folder, 'postgres.log')}.`),
    // What does not fit is read from the kernel's cache, in 4 µs more.
    settings: { shared_buffers: '8MB' },
  });
  shutdown.add('telemetry', 'postgres', stop);
  return { adminUrl: url, embedded: { port, pid } };
}

function openBus(url: string, log: Logger, shutdown: Shutdown) {
  const database = openDatabase({ url, connectionsMax: 6, name: 'hookline bus', log });
  const bus = createPostgresLogBus({ database, log, pollMs: 2_000 });
  shutdown.add('bus', 'bus', () => bus.close());
  shutdown.add('stores', 'bus database', () => database.close());
  return bus;
}

function roleUrl(adminUrl: string, role: string, secrets: Secrets): string {
  const url = new URL(adminUrl);
  url.username = role;
  url.password = secrets.databasePasswords[role] ?? '';
  return url.href;
}
