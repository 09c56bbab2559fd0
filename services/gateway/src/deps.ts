import { fileURLToPath } from 'node:url';
import { ConfigurationError, generationMsOf, type Logger, requireSettings } from '@hookline/shared/kernel';
import { peerUrls, type ServiceRuntime } from '@hookline/shared/service';
import type { FastifyRequest } from 'fastify';
import { createForwarder, type Forwarder } from './edge/forward/forward.ts';
import { admitKey } from './edge/gate/admit-key.ts';
import { type Cors, createCors } from './edge/gate/cors.ts';
import { createSecurityHeaders, type SecurityHeaders } from './edge/gate/security-headers.ts';
import type { Admissions, LimitSizes } from './edge/limits/admission.ts';
import { type ClientAddress, createClientAddress, createExceptions } from './edge/limits/client-address.ts';
import { createMemoryAdmissions } from './edge/limits/memory.ts';
import { createPerAddress, type PerAddress } from './edge/limits/per-address.ts';
import { createRecordTexts } from './edge/limits/record-text.ts';
import { createRedisAdmissions } from './edge/limits/redis.ts';
import { openRedisLink, type RedisLink } from './edge/limits/redis-link.ts';
import { createWindows, type Windows } from './edge/limits/windows.ts';
import { type AfterAnswer, createAfterAnswer } from './identity/audit/after-answer.ts';
import { type ClientDocuments, createClientDocuments } from './identity/clients/documents.ts';
import { createDownloads, type Downloads } from './identity/export/downloads.ts';
import { createExportLinks, type ExportLinks } from './identity/export/links.ts';
import { createInside, type Inside } from './identity/keys/credential.ts';
import { createKeyLoader } from './identity/keys/load.ts';
import type { KeyRecord } from './identity/keys/record.ts';
import { createKeyUse, type KeyUse } from './identity/keys/use.ts';
import { createMailer, type Mailer } from './identity/mail/mailer.ts';
import { createOidcCookies, type OidcCookies } from './identity/oidc/cookie.ts';
import { createOidcSignIn, type OidcSignIn } from './identity/oidc/issuer.ts';
import { callbackPath } from './identity/oidc/journey.rules.ts';
import { createPasswords, type Passwords } from './identity/passwords/hasher.ts';
import type { gatewaySettings } from './settings.ts';
import type { ConsoleEntry } from './site/console/entry.ts';
import { type Changes, createChanges } from './site/stream/changes.ts';
import { findNews } from './site/stream/find-news.ts';
import { createStreams, type Streams } from './site/stream/streams.ts';
import { defaultPatience, type Patience } from './timings.ts';

/** Requests of one workspace in flight, over all gateways, that wait for the outside. */
const slowMax = 4;

/** Of OAuth clients; a hosted one registers for many people from few addresses. */
const registrationsPerHour = 60;

/** Per address that is unknown to the person, over all e-mail addresses. */
const failedSignInsPerQuarterHour = 30;

/** Per address; a sign-in takes two. */
const oidcRequestsPerMinute = 120;

export type GatewayRuntime = ServiceRuntime<typeof gatewaySettings>;

/** What the checks, the gateway's own routes and its actions work with. */
export type GatewayDeps = Pick<GatewayRuntime, 'db' | 'log' | 'now' | 'peers'> & {
  patience: Patience;
  limits: LimitSizes;
  /** Live API keys of an account. */
  keysMax: number;
  admissions: Admissions;
  /** Null: limits are counted in memory. */
  redis: RedisLink | null;
  clientAddress: ClientAddress;
  /** True for addresses that limits per address leave out: loopback and trusted proxies. */
  isExcepted: (address: string) => boolean;
  /** Sign-ups an hour, taken e-mail addresses included: each costs credits or a hash. */
  signUps: PerAddress;
  /** Wrong passwords from an address that never signed in to the e-mail address. */
  failedSignIns: PerAddress;
  /**
   * Requests of sessions in cookies, counted by this gateway alone: a person's browser talks to few of them.
   */
  cookieWindows: Windows;
  keyUse: KeyUse;
  sessionUse: KeyUse;
  afterAnswer: AfterAnswer;
  passwords: Passwords;
  /** Who may sign up without an invitation. */
  signUp: 'open' | 'invite' | 'closed';
  /** Null unless an SMTP server is configured: links are shown to owners only. */
  mailer: Mailer | null;
  /** Whoever signs up opens nothing but `/auth/*` before the address is proven. */
  requiresVerification: boolean;
  /** How long rows of the audit log are kept. */
  auditDays: number;
  /** Null unless Hookline is a client of an OIDC issuer: nobody signs in by redirect. */
  oidcSignIn: OidcSignIn | null;
  oidcCookies: OidcCookies;
  /** Starts and callbacks of sign-ins by redirect a minute: each may cost a request at the issuer. */
  oidcRequests: PerAddress;
  /** Domains whose addresses the issuer alone gives out, in lower case. */
  oidcEmailDomains: readonly string[];
  forwarder: Forwarder;
  security: SecurityHeaders;
  /** Null: no origin is allowed. */
  cors: Cors | null;
  /** Origins whose pages may call. */
  corsOrigins: readonly string[];
  /** What requests changed, for the streams. */
  changes: Changes;
  streams: Streams;
  exportLinks: ExportLinks;
  /** Archives that are being downloaded from this gateway. */
  downloads: Downloads;
  publicUrl: string;
  /** The console's built files. */
  consoleFolder: string;
  /** Null unless this process printed a link to the console. */
  consoleEntry: ConsoleEntry | null;
  inside: Inside;
  /** Counts a request of a key in its windows. @throws ApiError for a request that is refused */
  admitKey(request: FastifyRequest, keyHash: string): Promise<KeyRecord>;
  clientDocuments: ClientDocuments;
  /** `host:port` that the address filter lets through for documents of OAuth clients; tests only. */
  clientDocumentTargets: ReadonlySet<string>;
  /** Registrations of OAuth clients an hour and address, of this gateway alone. */
  registrations: PerAddress;
};

export type GatewayOptions = Pick<
  GatewayDeps,
  'patience' | 'consoleFolder' | 'consoleEntry' | 'clientDocumentTargets'
>;

const builtConsole = fileURLToPath(new URL('../../../packages/console/dist', import.meta.url));
export const defaultOptions: GatewayOptions = {
  patience: defaultPatience,
  consoleFolder: builtConsole,
  consoleEntry: null,
  clientDocumentTargets: new Set(),
};

/** @throws ConfigurationError naming the setting that is missing or invalid. */
export async function createDeps(
  runtime: GatewayRuntime,
  { patience, consoleFolder, consoleEntry, clientDocumentTargets }: GatewayOptions,
): Promise<GatewayDeps> {
  const { settings, db, log, now, shutdown } = runtime;
  checkSettings(settings);
  const clientAddress = createClientAddress(settings.TRUSTED_PROXIES);
  const isExcepted = createExceptions(settings.TRUSTED_PROXIES);
  const limits = readLimits(settings, log);
  const redis = settings.REDIS_URL === undefined ? null : await openRedisLink(settings.REDIS_URL, log);
  log.info({ limits: redis ? 'redis' : 'memory' }, 'requests are counted');
  const admissions = createAdmissions(runtime, limits, redis);
  shutdown.add('stores', 'gateway limits', () => admissions.close());
  const forwarder = createForwarder({
    urls: peerUrls(settings),
    sign: runtime.sign,
    clientAddress,
    log,
    isStopping: () => runtime.drain.isOn,
    slowMax: Math.max(1, Math.floor(slowMax / settings.GATEWAY_REPLICAS)),
    generationMs: generationMsOf(settings),
  });
  shutdown.add('stores', 'gateway upstreams', () => forwarder.close());
  const mailer = openMailer(settings, consoleEntry !== null);
  if (mailer) shutdown.add('stores', 'gateway mailer', async () => mailer.close());
  const newsDeps = { db, peers: runtime.peers, log, now };
  const streams = createStreams({
    findNews: asked => findNews(newsDeps, asked),
    log,
    everyMs: patience.streamsMs,
  });
  shutdown.add('door', 'gateway streams', () => streams.close());
  const clientDocuments = createClientDocuments(clientDocumentTargets);
  shutdown.add('stores', 'gateway client documents', () => clientDocuments.close());
  const afterAnswer = createAfterAnswer(log);
  // The server has stopped by then, and the database has not.
  shutdown.add('workers', 'gateway work after answers', () => afterAnswer.drain());
  const keyGate = { admissions, clientAddress, keyUse: createKeyUse(now), inside: createInside() };
  const publicUrl = settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`;
  return {
    db,
    log,
    now,
    peers: runtime.peers,
    patience,
    limits,
    keysMax: settings.LIMIT_KEYS,
    ...keyGate,
    admitKey: (request, keyHash) => admitKey(keyGate, request, false, keyHash),
    redis,
    isExcepted,
    signUps: createPerAddress(
      Math.max(1, Math.floor(settings.SIGN_UPS_PER_HOUR / settings.GATEWAY_REPLICAS)),
      60,
      isExcepted,
    ),
    failedSignIns: createPerAddress(
      // Never fewer than the ten of one person, who would lock out everybody behind the same address.
      Math.max(11, Math.floor(failedSignInsPerQuarterHour / settings.GATEWAY_REPLICAS)),
      15,
      isExcepted,
    ),
    cookieWindows: createWindows(20_000),
    sessionUse: createKeyUse(now),
    afterAnswer,
    signUp: settings.SIGN_UP ?? (settings.OIDC_ISSUER === undefined ? 'invite' : 'closed'),
    mailer,
    requiresVerification: settings.EMAIL_VERIFICATION === 'required',
    auditDays: settings.AUDIT_RETENTION_DAYS,
    passwords: createPasswords(),
    oidcSignIn: createSignIn(runtime, publicUrl),
    oidcCookies: createOidcCookies(settings.SERVICE_SIGNING_KEYS ?? [], {
      publicUrl,
      nowMs: () => now().getTime(),
    }),
    oidcRequests: createPerAddress(oidcRequestsPerMinute, 1, isExcepted),
    oidcEmailDomains: settings.OIDC_EMAIL_DOMAINS,
    forwarder,
    security: createSecurityHeaders(publicUrl),
    cors: createCors(settings.CORS_ORIGINS),
    corsOrigins: settings.CORS_ORIGINS,
    changes: createChanges(),
    streams,
    exportLinks: createExportLinks(publicUrl, settings.SERVICE_SIGNING_KEYS ?? []),
    downloads: createDownloads(isExcepted),
    publicUrl,
    consoleFolder,
    consoleEntry,
    clientDocuments,
    clientDocumentTargets,
    registrations: createPerAddress(registrationsPerHour, 60, isExcepted),
  };
}

function checkSettings(given: GatewayRuntime['settings']): void {
  const settings = requireSettings(
    given,
    ['CONTENT_URL', 'SCHEDULING_URL', 'AUTOMATION_URL', 'ANALYTICS_URL'],
    'the gateway cannot work without',
  );
  checkOidc(settings);
  if (settings.GATEWAY_REPLICAS > 1 && settings.REDIS_URL === undefined) {
    throw new ConfigurationError(
      'REDIS_URL must be set when GATEWAY_REPLICAS is more than 1: several gateways share their limits there.',
    );
  }
}

/**
 * @param hasEntry true with `npm start`, whose first user proves the address by the printed link
 * @throws ConfigurationError for half of the settings of mail
 */
function openMailer(
  { SMTP_URL, MAIL_FROM, EMAIL_VERIFICATION }: GatewayRuntime['settings'],
  hasEntry: boolean,
): Mailer | null {
  if (SMTP_URL !== undefined && MAIL_FROM !== undefined) return createMailer(SMTP_URL, MAIL_FROM);
  if (SMTP_URL !== undefined || MAIL_FROM !== undefined) {
    const missing = SMTP_URL === undefined ? 'SMTP_URL' : 'MAIL_FROM';
    throw new ConfigurationError(`${missing} must be set too: mail needs a server and a sender.`);
  }
  if (EMAIL_VERIFICATION === 'required' && !hasEntry) {
    throw new ConfigurationError('SMTP_URL must be set: EMAIL_VERIFICATION=required sends links by mail.');
  }
  return null;
}

function checkOidc({
  OIDC_ISSUER,
  OIDC_CLIENT_ID,
  OIDC_CLIENT_SECRET,
}: Pick<GatewayRuntime['settings'], 'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET'>): void {
  const given = Object.entries({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET });
  const missing = given.filter(([, value]) => value === undefined).map(([name]) => name);
  if (missing.length > 0 && missing.length < given.length) {
    throw new ConfigurationError(
      `${missing.join(' and ')} must be set too: a sign-in there needs the issuer, and our client with its secret.`,
    );
  }
  if (OIDC_ISSUER === undefined || OIDC_ISSUER.startsWith('https:')) return;
  // Anyone who can change the key set in transit can sign in as any user.
  if (!['localhost', '127.0.0.1', '[::1]'].includes(new URL(OIDC_ISSUER).hostname)) {
    throw new ConfigurationError('OIDC_ISSUER must be an https URL (http is accepted on loopback only).');
  }
}

function createSignIn({ settings, log }: GatewayRuntime, publicUrl: string): OidcSignIn | null {
  const {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_NAME,
  } = settings;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  const redirectUri = `${publicUrl}${callbackPath}`;
  return createOidcSignIn({ issuer, clientId, clientSecret, name: OIDC_NAME, redirectUri, log });
}

function readLimits(settings: GatewayRuntime['settings'], log: Logger): LimitSizes {
  const limits = {
    perIp: settings.LIMIT_PER_IP,
    perKey: settings.LIMIT_PER_KEY,
    contentPerKey: settings.LIMIT_CONTENT_PER_KEY,
  };
  if (limits.perIp !== 300 || limits.perKey !== 120 || limits.contentPerKey !== 10) {
    log.warn({ limits }, 'the limits are not those of the API (300, 120, 10 a minute): for load tests only');
  }
  if (settings.LIMIT_KEYS !== 50) {
    log.warn(
      { keysMax: settings.LIMIT_KEYS },
      'the cap on keys is not that of the API (50): for load tests only',
    );
  }
  return limits;
}

function createAdmissions(
  { settings, db, now }: GatewayRuntime,
  limits: LimitSizes,
  link: RedisLink | null,
): Admissions {
  const loadKey = createKeyLoader(db);
  const nowMs = (): number => now().getTime();
  if (!link) return createMemoryAdmissions({ limits, loadKey, nowMs });
  const records = createRecordTexts(settings.SERVICE_SIGNING_KEYS ?? [], nowMs);
  return createRedisAdmissions({
    ...{ link, limits, loadKey, records, nowMs },
    replicas: settings.GATEWAY_REPLICAS,
  });
}
