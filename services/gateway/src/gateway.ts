/** The gateway as one thing to start: in a process of its own, or beside the services in one. */

import type { ServiceName } from '@hookline/shared/contracts/scopes';
import { type CallSigner, createCallSigner, createDrain } from '@hookline/shared/http';
import type { Logger, Settings, SettingsOf, Shutdown } from '@hookline/shared/kernel';
import {
  ConfigurationError,
  loadSettings,
  requireSettings,
  startWorkerLoop,
  watchGauge,
} from '@hookline/shared/kernel';
import {
  type Database,
  openDatabase,
  pruneKeys,
  requireStore,
  startDatabaseClock,
} from '@hookline/shared/postgres';
import type { RunningService } from '@hookline/shared/service';
import type { FastifyInstance } from 'fastify';
import { createClientAddress } from './client-address.ts';
import { createCors } from './cors.ts';
import { createForwarder } from './forward/forward.ts';
import { createGate } from './gate.ts';
import { createKeyUse } from './key-use.ts';
import type { Admissions, KeyRecord, LimitSizes } from './limits/admission.ts';
import { createMemoryAdmissions } from './limits/memory.ts';
import { createRedisAdmissions } from './limits/redis.ts';
import { openRedisLink } from './limits/redis-link.ts';
import { createOidcIssuer } from './oidc-issuer.ts';
import { createOidcSessions, type OidcSessions } from './oidc-sessions.ts';
import { createPasswords } from './passwords.ts';
import { findApiKeyByHash } from './queries/api-keys.ts';
import { isAnswering } from './queries/health.ts';
import { findSession } from './queries/sessions.ts';
import { addAuthRoutes } from './routes/auth.ts';
import { addDocumentRoutes } from './routes/documents.ts';
import { addKeyRoutes } from './routes/keys.ts';
import { createSecurityHeaders } from './security-headers.ts';
import { createGatewayServer, type Patience, usualPatience } from './server.ts';
import { gatewaySettings } from './settings.ts';

type GatewaySettings = ReturnType<typeof readSettings>;

export type GatewayEnvironment = {
  env: Record<string, string | undefined>;
  log: Logger;
  shutdown: Shutdown;
  now?: () => Date;
  /** For tests, which would wait too long with the usual one. */
  patience?: Partial<Patience>;
};

/**
 * Starts the gateway and registers its stop steps with `environment.shutdown`.
 * @throws ConfigurationError one sentence on what is missing, wrong or taken.
 */
export async function startGateway(environment: GatewayEnvironment): Promise<RunningService> {
  const { shutdown } = environment;
  const log = environment.log.child({ service: 'gateway' });
  const settings = readSettings(environment.env);
  const clientAddress = createClientAddress(settings.TRUSTED_PROXIES);
  const limits = readLimits(settings, log);
  const db = await openStore(settings, log, shutdown);
  const clock = await startDatabaseClock(db, log);
  shutdown.add('stores', 'gateway clock', async () => clock.stop());
  const now = environment.now ?? clock.now;
  const admissions = await openAdmissions(settings, limits, db, log, now);
  shutdown.add('stores', 'gateway limits', () => admissions.close());
  const keyUse = createKeyUse(db, log, now);
  shutdown.add('workers', 'gateway key use', () => keyUse.flush());
  const signAt = createCallSigner(settings.SERVICE_SIGNING_KEYS);
  const sign: CallSigner = call => signAt(call, clock.now().getTime());
  const drain = createDrain({ tellsConnections: true });
  const forwarder = createForwarder({ urls: ownersOf(settings), sign, log, isStopping: () => drain.isOn });
  shutdown.add('stores', 'gateway upstreams', () => forwarder.close());
  const gate = createGate({
    admissions,
    clientAddress,
    keyUse,
    findSession: tokenHash => findSession(db, tokenHash, now()),
    oidc: openOidc(settings, db, log, now),
    // Slides, probes and docs: a page shows many of them at once.
    otherPerIp: limits.perIp * 10,
  });
  // Not Redis: without it the gateway serves on, so it must stay in the rotation.
  const readiness = [{ name: 'database', check: () => isAnswering(db) }];
  const publicUrl = settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`;
  const app = createGatewayServer({
    log,
    gate,
    forwarder,
    readiness,
    security: createSecurityHeaders(publicUrl),
    cors: createCors(settings.CORS_ORIGINS),
    drain,
    patience: { ...usualPatience, ...environment.patience },
  });
  const deps = { db, admissions, passwords: createPasswords(), now };
  addAuthRoutes(app, deps);
  addKeyRoutes(app, deps);
  addDocumentRoutes(app, publicUrl);
  const pruning = startWorkerLoop({
    name: 'prune-keys',
    work: async () => (await pruneKeys(db, now())) === 1_000,
    pollMs: 3_600_000,
    log,
  });
  shutdown.add('workers', 'gateway idempotency records', () => pruning.stop());
  const url = await listen(app, settings);
  shutdown.add('door', 'gateway server', () => drain.run(app));
  log.info({ url, limits: settings.REDIS_URL ? 'redis' : 'memory' }, 'started');
  return { name: 'gateway', url, db, joined: Promise.resolve() };
}

function readSettings(env: Record<string, string | undefined>) {
  const settings = requireSettings(
    loadSettings(gatewaySettings, env),
    [
      'DATABASE_URL',
      'SERVICE_SIGNING_KEYS',
      'CONTENT_URL',
      'SCHEDULING_URL',
      'AUTOMATION_URL',
      'ANALYTICS_URL',
    ],
    'the gateway cannot work without',
  );
  requireWholeOidc(settings);
  if (settings.GATEWAY_REPLICAS > 1 && settings.REDIS_URL === undefined) {
    throw new ConfigurationError(
      'REDIS_URL must be set when GATEWAY_REPLICAS is more than 1: several gateways share their limits there.',
    );
  }
  return settings;
}

function requireWholeOidc({
  OIDC_ISSUER,
  OIDC_AUDIENCE,
}: Pick<SettingsOf<typeof gatewaySettings>, 'OIDC_ISSUER' | 'OIDC_AUDIENCE'>): void {
  if ((OIDC_ISSUER === undefined) !== (OIDC_AUDIENCE === undefined)) {
    const missing = OIDC_ISSUER === undefined ? 'OIDC_ISSUER' : 'OIDC_AUDIENCE';
    throw new ConfigurationError(
      `${missing} must be set too: OIDC sign-in needs the issuer and the audience that its tokens name.`,
    );
  }
  if (OIDC_ISSUER === undefined || OIDC_ISSUER.startsWith('https:')) return;
  // Whoever can change the key set on its way signs in as anybody.
  if (!['localhost', '127.0.0.1', '[::1]'].includes(new URL(OIDC_ISSUER).hostname)) {
    throw new ConfigurationError('OIDC_ISSUER must be an https URL (http is accepted on loopback only).');
  }
}

function openOidc(
  { OIDC_ISSUER, OIDC_AUDIENCE }: GatewaySettings,
  db: Database,
  log: Logger,
  now: () => Date,
): OidcSessions | null {
  if (OIDC_ISSUER === undefined || OIDC_AUDIENCE === undefined) return null;
  const issuer = createOidcIssuer({ issuer: OIDC_ISSUER, audience: OIDC_AUDIENCE, log, now });
  return createOidcSessions(issuer, db, now);
}

function readLimits(settings: GatewaySettings, log: Logger): LimitSizes {
  const limits = {
    perIp: settings.LIMIT_PER_IP,
    perKey: settings.LIMIT_PER_KEY,
    contentPerKey: settings.LIMIT_CONTENT_PER_KEY,
  };
  if (limits.perIp !== 300 || limits.perKey !== 120 || limits.contentPerKey !== 10) {
    log.warn({ limits }, 'the limits are not those of the API (300, 120, 10 a minute): for load tests only');
  }
  return limits;
}

async function openStore(settings: GatewaySettings, log: Logger, shutdown: Shutdown): Promise<Database> {
  const db = openDatabase({
    url: settings.DATABASE_URL,
    connectionsMax: settings.DATABASE_POOL_MAX,
    name: 'hookline gateway',
    log,
  });
  shutdown.add('stores', 'gateway database', () => db.close());
  await requireStore(db, 'gateway');
  return db;
}

async function openAdmissions(
  settings: GatewaySettings,
  limits: LimitSizes,
  db: Database,
  log: Logger,
  now: () => Date,
): Promise<Admissions> {
  const loadKey = async (keyHash: string): Promise<KeyRecord | null> => {
    const row = await findApiKeyByHash(db, Buffer.from(keyHash, 'base64url'));
    return (
      row && {
        keyId: row.id,
        accountId: row.accountId,
        scopes: row.scopes,
        expiresAtMs: row.expiresAt?.getTime() ?? null,
        isRevoked: row.revokedAt !== null,
      }
    );
  };
  const nowMs = (): number => now().getTime();
  if (settings.REDIS_URL === undefined) return createMemoryAdmissions({ limits, loadKey, nowMs });
  const link = await openRedisLink(settings.REDIS_URL, log);
  watchGauge('hookline.limiter.exact', () => [{ value: link.isUp ? 1 : 0 }]);
  return createRedisAdmissions({ link, limits, replicas: settings.GATEWAY_REPLICAS, loadKey, nowMs });
}

function ownersOf(settings: GatewaySettings): Partial<Record<ServiceName, readonly string[]>> {
  return {
    content: settings.CONTENT_URL,
    scheduling: settings.SCHEDULING_URL,
    automation: settings.AUTOMATION_URL,
    analytics: settings.ANALYTICS_URL,
  };
}

async function listen(app: FastifyInstance, { PORT, HOST }: Settings<'PORT' | 'HOST'>): Promise<string> {
  try {
    return await app.listen({ port: PORT, host: HOST });
  } catch (error) {
    if ((error as { code?: string }).code !== 'EADDRINUSE') throw error;
    throw new ConfigurationError(
      `Port ${PORT} on ${HOST} is taken: end what listens there, or choose another with PORT=${PORT + 1}.`,
    );
  }
}
