/** Starts a service, in its own process or with the others in one. */
import type { FastifyInstance } from 'fastify';
import type { Bus } from '../bus/index.ts';
import { pruneInbox, watchOutbox } from '../bus/index.ts';
import type { ServiceName } from '../contracts/scopes.ts';
import {
  type CallSigner,
  createCallSigner,
  createCallVerifier,
  createDrain,
  createServiceClient,
  createServiceServer,
  installRequestMetrics,
  type ServiceClient,
  warnOfPlainHttp,
} from '../http/index.ts';
import type { Logger, SettingsOf, SettingTable, Shutdown } from '../kernel/index.ts';
import {
  ConfigurationError,
  explainHost,
  loadSettings,
  requireSettings,
  sharedMetrics,
  watchGauge,
} from '../kernel/index.ts';
import {
  type ConnectionSource,
  type Database,
  openDatabase,
  pruneKeys,
  requireStore,
  startDatabaseClock,
  type WakeUp,
} from '../postgres/index.ts';
import {
  type CommonSettings,
  commonSettings,
  type ServerParts,
  type ServiceDefinition,
  type ServiceRuntime,
} from './definition.ts';
import { type BusMembership, joinBus } from './join-bus.ts';
import { startWorkers } from './start-workers.ts';
import { prune } from './work.ts';

export type ServiceEnvironment = {
  env: Record<string, string | undefined>;
  /**
   * Null in the role `api`, which neither publishes nor consumes: its events leave from the outbox. May be
   * null for a service that only consumes.
   */
  bus: Bus | null;
  log: Logger;
  shutdown: Shutdown;
  now?: () => Date;
  /** Shared by the services of one process and database; without it each opens its own. */
  wakeUp?: WakeUp;
  /** As `wakeUp`, for the locks of the outbox relays. */
  relayConnections?: ConnectionSource;
};

export type RunningService = {
  name: ServiceName;
  url: string;
  db: Database;
  /** Resolves once relay and consumers have joined the bus, or at the stop; at once where neither runs. */
  joined: Promise<void>;
};

/**
 * Starts a service that owns a schema: settings, database, migration check, dependencies, routes, listen,
 * workers. It resolves whether the bus answers or not; relay and consumers join when it does. Every stop step
 * is registered with `environment.shutdown`.
 * @throws ConfigurationError with one sentence on what is missing, wrong or taken
 */
export async function startService<T extends SettingTable, D>(
  definition: ServiceDefinition<T, D>,
  environment: ServiceEnvironment,
): Promise<RunningService> {
  const { name } = definition;
  const { bus, shutdown } = environment;
  const log = environment.log.child({ service: name });
  const given = loadSettings({ ...commonSettings, ...definition.settings }, environment.env);
  const settings = requireSettings(
    given as CommonSettings,
    ['DATABASE_URL', 'SERVICE_SIGNING_KEYS'],
    `the ${name} service cannot work without`,
  );
  await warnOfPlainHttp(given, log);
  // A service that publishes nothing has no roles to divide into.
  const publishes = definition.consumers !== undefined && !definition.onlyConsumes;
  const role = publishes ? settings.ROLE : 'all';
  if (publishes && role !== 'api' && !bus) throw new Error(`${name} needs a bus in the role ${role}`);
  const db = await openStore(name, settings, log, shutdown);
  const clock = await startDatabaseClock(db, log);
  shutdown.add('stores', `${name} clock`, async () => clock.stop());
  watchGauge(sharedMetrics.metrics.clockOffset, () => [
    { value: clock.aheadMs() / 1_000, attributes: { 'hookline.service': name } },
  ]);
  const clockMs = (): number => clock.now().getTime();
  const signAt = createCallSigner(settings.SERVICE_SIGNING_KEYS);
  const sign: CallSigner = call => signAt(call, clockMs());
  const drain = createDrain({ tellsConnections: definition.server !== undefined });
  const runtime: ServiceRuntime<T> = {
    settings: given as SettingsOf<T> & CommonSettings,
    db,
    peers: openPeers(name, settings, sign, shutdown),
    sign,
    log,
    shutdown,
    now: environment.now ?? clock.now,
    clockIsSteady: clock.isSteady,
    drain,
  };
  const deps = await definition.deps(runtime);
  let membership: BusMembership | undefined;
  const verify = createCallVerifier(settings.SERVICE_SIGNING_KEYS, name);
  const parts: ServerParts = {
    log,
    readiness: [drain.readiness, { name: 'database', check: () => db.query('select 1').then(() => true) }],
    drain,
  };
  const app =
    definition.server?.(deps, parts) ??
    createServiceServer({
      ...parts,
      verifyCall: (headers, method, path) => verify(headers, method, path, clockMs()),
      // Requests need no bus: an unreachable one must not take a process out of rotation.
      degraded: () => (role !== 'api' && (membership?.isDegraded() ?? true) ? ['bus'] : []),
    });
  installRequestMetrics(app, name);
  if (role !== 'worker') for (const addRoutes of definition.routes) await addRoutes(app, deps);
  const url = await listen(app, settings);
  shutdown.add(definition.server ? 'door' : 'requests', `${name} server`, () => drain.run(app));
  if (role !== 'api') {
    const keepers = [() => prune('prune-keys', () => pruneKeys(db, runtime.now()))];
    if (publishes) watchOutbox(name, db);
    if (definition.consumers) keepers.push(() => prune('prune-inbox', () => pruneInbox(db)));
    const { clockIsSteady } = runtime;
    const work = { service: name, db, log, shutdown, clockIsSteady, wakeUp: environment.wakeUp };
    await startWorkers(work, [...definition.workers, ...keepers], deps);
    definition.gauges?.(deps);
    if (definition.consumers && bus) {
      const consumers = definition.consumers(deps);
      const { relayConnections } = environment;
      membership = joinBus({
        ...{ service: name, bus, db, log, consumers, publishes, relayConnections },
        beforePublishing: on => definition.beforePublishing?.(deps, on) ?? Promise.resolve(),
      });
      shutdown.add('workers', `${name} bus membership`, () => membership?.stop() ?? Promise.resolve());
    }
  }
  log.info(publishes ? { url, role } : { url }, 'started');
  return { name, url, db, joined: membership?.joined ?? Promise.resolve() };
}

async function openStore(
  name: ServiceName,
  { DATABASE_URL, DATABASE_POOL_MAX }: { DATABASE_URL: string; DATABASE_POOL_MAX: number },
  log: Logger,
  shutdown: Shutdown,
): Promise<Database> {
  const db = openDatabase({
    url: DATABASE_URL,
    connectionsMax: DATABASE_POOL_MAX,
    name: `hookline ${name}`,
    log,
  });
  shutdown.add('stores', `${name} database`, () => db.close());
  await requireStore(db, name);
  return db;
}

function openPeers(
  name: ServiceName,
  settings: CommonSettings,
  sign: CallSigner,
  shutdown: Shutdown,
): ServiceClient {
  const peers = createServiceClient({ sender: name, sign, peers: peerUrls(settings) });
  shutdown.add('stores', `${name} peers`, () => peers.close());
  return peers;
}

/** The addresses of the services that this process calls, by name. */
export function peerUrls(settings: CommonSettings): Partial<Record<ServiceName, readonly string[]>> {
  const urls = {
    content: settings.CONTENT_URL,
    scheduling: settings.SCHEDULING_URL,
    automation: settings.AUTOMATION_URL,
    analytics: settings.ANALYTICS_URL,
  };
  return Object.fromEntries(Object.entries(urls).filter(([, value]) => value !== undefined));
}

async function listen(
  app: FastifyInstance,
  { PORT, HOST }: Pick<CommonSettings, 'PORT' | 'HOST'>,
): Promise<string> {
  try {
    return await app.listen({ port: PORT, host: HOST });
  } catch (error) {
    const { code } = error as { code?: string };
    const isTaken = code === 'EADDRINUSE';
    const reason = isTaken ? 'is taken: end what listens there, or' : `cannot be used (${code}):`;
    throw new ConfigurationError(
      explainHost(code, HOST) ?? `Port ${PORT} on ${HOST} ${reason} choose another with PORT=${PORT + 1}.`,
    );
  }
}
