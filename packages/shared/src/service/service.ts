/** What a service is, and what a process gives it: the same in five processes and in one. */
import type { FastifyInstance } from 'fastify';
import type { Bus } from '../bus/index.ts';
import { pruneInbox, watchOutbox } from '../bus/index.ts';
import type { ServiceName } from '../contracts/scopes.ts';
import {
  createCallSigner,
  createCallVerifier,
  createDrain,
  createServiceClient,
  createServiceServer,
  installRequestMetrics,
  type ReadinessCheck,
  type ServiceClient,
} from '../http/index.ts';
import type { Logger, SettingName, Settings, Shutdown } from '../kernel/index.ts';
import { loadSettings, requireSettings, startWorkerLoop } from '../kernel/index.ts';
import { type Database, openDatabase, requireStore, startDatabaseClock } from '../postgres/index.ts';
import type { Consumer } from './consumer.ts';
import { type BusMembership, type BusReader, joinBus } from './join-bus.ts';

/** Settings that every service process reads. */
export const commonSettings = [
  'PORT',
  'HOST',
  'ROLE',
  'DATABASE_URL',
  'DATABASE_POOL_MAX',
  'SERVICE_SIGNING_KEYS',
  'CONTENT_URL',
  'SCHEDULING_URL',
  'AUTOMATION_URL',
  'ANALYTICS_URL',
] as const satisfies readonly SettingName[];

type CommonSetting = (typeof commonSettings)[number];

/** What a service's code works with. Passed as it is to routes, consumers and workers. */
export type ServiceRuntime<N extends SettingName = never> = {
  settings: Settings<N | CommonSetting>;
  db: Database;
  peers: ServiceClient;
  log: Logger;
  shutdown: Shutdown;
  /** The clock, so that tests can hold it. */
  now: () => Date;
};

export type ServiceDefinition<N extends SettingName = never> = {
  name: ServiceName;
  /** Beside the common ones. */
  settings: readonly N[];
  /** Adds the service's routes to its server. Called in the roles `api` and `all`. */
  addRoutes(app: FastifyInstance, runtime: ServiceRuntime<N>): Promise<void> | void;
  /**
   * Starts the workers, registers their stop and returns what the service consumes. Called in the roles `worker` and
   * `all`, whether the bus answers or not.
   */
  startWorkers(runtime: ServiceRuntime<N>): Promise<readonly (Consumer | BusReader)[]>;
};

export function defineService<const N extends SettingName = never>(
  definition: ServiceDefinition<N>,
): ServiceDefinition<N> {
  return definition;
}

export type ServiceEnvironment = {
  env: Record<string, string | undefined>;
  /** Null in the role `api`, which neither publishes nor consumes: its events leave from the outbox. */
  bus: Bus | null;
  log: Logger;
  shutdown: Shutdown;
  now?: () => Date;
};

export type RunningService = {
  name: ServiceName;
  url: string;
  db: Database;
  /** Resolves once relay and consumers have joined the bus, or at the stop; at once in the role `api`. */
  joined: Promise<void>;
};

/**
 * Starts a service that owns a schema: settings, database, migration check, routes, listen, workers. It resolves whether
 * the bus answers or not; relay and consumers join when it does. Stop steps are registered with `environment.shutdown`.
 * @throws ConfigurationError one sentence on what is missing or wrong.
 */
export async function startService<const N extends SettingName>(
  definition: ServiceDefinition<N>,
  environment: ServiceEnvironment,
): Promise<RunningService> {
  const { name } = definition;
  const { bus, shutdown } = environment;
  const log = environment.log.child({ service: name });
  const given = loadSettings([...commonSettings, ...definition.settings], environment.env);
  const settings = requireSettings(
    given as Settings<CommonSetting>,
    ['DATABASE_URL', 'SERVICE_SIGNING_KEYS'],
    `the ${name} service cannot work without`,
  );
  if (settings.ROLE !== 'api' && !bus) throw new Error(`${name} needs a bus in the role ${settings.ROLE}`);
  const db = openDatabase({
    url: settings.DATABASE_URL,
    connectionsMax: settings.DATABASE_POOL_MAX,
    name: `hookline ${name}`,
    log,
  });
  shutdown.add('stores', `${name} database`, () => db.close());
  await requireStore(db, name);
  const clock = await startDatabaseClock(db, log);
  shutdown.add('stores', `${name} clock`, async () => clock.stop());
  const sign = createCallSigner(settings.SERVICE_SIGNING_KEYS);
  const verifyCall = createCallVerifier(settings.SERVICE_SIGNING_KEYS, name);
  const peers = createServiceClient({
    sender: name,
    sign: call => sign(call, clock.now().getTime()),
    peers: peerUrls(settings),
  });
  shutdown.add('stores', `${name} peers`, () => peers.close());
  const drain = createDrain();
  const readiness: ReadinessCheck[] = [
    drain.readiness,
    { name: 'database', check: () => db.query('select 1').then(() => true) },
  ];
  let membership: BusMembership | undefined;
  const app = createServiceServer({
    log,
    verifyCall: (header, method, path) => verifyCall(header, method, path, clock.now().getTime()),
    readiness,
    // Requests need no bus, so one that is away takes no process out of the rotation.
    degraded: () => (settings.ROLE !== 'api' && (membership?.isDegraded() ?? true) ? ['bus'] : []),
    drain,
  });
  installRequestMetrics(app, name);
  const runtime: ServiceRuntime<N> = {
    settings: given as Settings<N | CommonSetting>,
    db,
    peers,
    log,
    shutdown,
    now: environment.now ?? clock.now,
  };
  if (settings.ROLE !== 'worker') await definition.addRoutes(app, runtime);
  const url = await app.listen({ port: settings.PORT, host: settings.HOST });
  shutdown.add('requests', `${name} server`, () => drain.run(app));
  if (settings.ROLE !== 'api') {
    watchOutbox(name, db);
    const pruner = startWorkerLoop({
      name: 'prune-inbox',
      work: async () => (await pruneInbox(db)) === 1_000,
      pollMs: 3_600_000,
      log,
    });
    shutdown.add('workers', `${name} inbox`, () => pruner.stop());
    const consumers = await definition.startWorkers(runtime);
    membership = joinBus({ service: name, bus: bus as Bus, db, log, consumers });
    shutdown.add('workers', `${name} bus membership`, () => membership?.stop() ?? Promise.resolve());
  }
  log.info({ url, role: settings.ROLE }, 'started');
  return { name, url, db, joined: membership?.joined ?? Promise.resolve() };
}

function peerUrls(settings: Settings<CommonSetting>): Partial<Record<ServiceName, readonly string[]>> {
  const urls = {
    content: settings.CONTENT_URL,
    scheduling: settings.SCHEDULING_URL,
    automation: settings.AUTOMATION_URL,
    analytics: settings.ANALYTICS_URL,
  };
  return Object.fromEntries(Object.entries(urls).filter(([, value]) => value !== undefined));
}
