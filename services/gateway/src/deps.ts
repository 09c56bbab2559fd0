import { fileURLToPath } from 'node:url';
import { ConfigurationError, generationMsOf, requireSettings } from '@hookline/shared/kernel';
import { peerUrls } from '@hookline/shared/service';
import { createForwarder, type Forwarder } from './edge/forward/forward.ts';
import { acceptKey } from './edge/gate/authenticate-key.ts';
import { createCors } from './edge/gate/cors.ts';
import { createSecurityHeaders } from './edge/gate/security-headers.ts';
import type { Admissions, LimitSizes } from './edge/limits/admission.ts';
import { createClientAddress, createExceptions } from './edge/limits/client-address.ts';
import { createMemoryAdmissions } from './edge/limits/memory.ts';
import { createPerAddress } from './edge/limits/per-address.ts';
import { createRecordTexts } from './edge/limits/record-text.ts';
import { createRedisAdmissions } from './edge/limits/redis.ts';
import { openRedisLink, type RedisLink } from './edge/limits/redis-link.ts';
import { createWindows } from './edge/limits/windows.ts';
import { defaultPatience, type EdgeDeps, type Patience } from './edge-deps.ts';
import { createAfterAnswer } from './identity/audit/after-answer.ts';
import { createClientDocuments } from './identity/clients/documents.ts';
import { createDownloads } from './identity/export/downloads.ts';
import { createExportLinks } from './identity/export/links.ts';
import { createInside } from './identity/keys/credential.ts';
import { createKeyLoader } from './identity/keys/load.ts';
import { createKeyUse } from './identity/keys/use.ts';
import { createMailer, type Mailer } from './identity/mail/mailer.ts';
import { createOidcCookies } from './identity/oidc/cookie.ts';
import { createOidcSignIn, type OidcSignIn } from './identity/oidc/issuer.ts';
import { callbackPath } from './identity/oidc/journey.rules.ts';
import { createChallenges } from './identity/passkeys/challenge.ts';
import { createPasswords } from './identity/passwords/hasher.ts';
import { createPushSender } from './identity/push/sender.ts';
import { createVapid } from './identity/push/vapid.ts';
import type { CommonDeps, GatewayRuntime, IdentityDeps } from './identity-deps.ts';
import { createChanges } from './site/stream/changes.ts';
import { findNews } from './site/stream/find-news.ts';
import { createStreams } from './site/stream/streams.ts';
import type { SiteDeps } from './site-deps.ts';

const slowMax = 4;

/** A hosted OAuth client registers for many people from few addresses. */
const registrationsPerHour = 60;

/** An address that is unknown to the person may fail so often, over all e-mail addresses. */
const failedSignInsPerQuarterHour = 30;

const oidcRequestsPerMinute = 120;
const passkeyChangesPerHour = 20;

export type GatewayDeps = IdentityDeps & EdgeDeps & SiteDeps;

export type GatewayOptions = Pick<SiteDeps, 'consoleFolder' | 'consoleEntry'> & {
  patience: Patience;
  clientDocumentTargets: ReadonlySet<string>;
  pushTargets: ReadonlySet<string>;
};

const builtConsole = fileURLToPath(new URL('../../../packages/console/dist', import.meta.url));
export const defaultOptions: GatewayOptions = {
  patience: defaultPatience,
  consoleFolder: builtConsole,
  consoleEntry: null,
  clientDocumentTargets: new Set(),
  pushTargets: new Set(),
};

/** @throws ConfigurationError naming the setting that is missing or invalid. */
export async function createDeps(runtime: GatewayRuntime, options: GatewayOptions): Promise<GatewayDeps> {
  const { settings, db, log, now, clockIsSteady, peers } = runtime;
  checkSettings(settings);
  const publicUrl = settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`;
  const clientAddress = createClientAddress(settings.TRUSTED_PROXIES);
  const common = { db, log, now, clockIsSteady, peers, publicUrl, clientAddress };
  const isExcepted = createExceptions(settings.TRUSTED_PROXIES);
  const counting = await createCounting(runtime);
  const site = createSite(runtime, options);
  const identity = {
    ...common,
    ...counting,
    ...site,
    ...createIdentity(runtime, { ...common, isExcepted }, options),
  };
  const edge: EdgeDeps = {
    ...identity,
    isExcepted,
    patience: options.patience,
    cookieWindows: createWindows(20_000),
    inside: createInside(),
    forwarder: openForwarder(runtime, common),
    security: createSecurityHeaders(publicUrl),
    cors: createCors(settings.CORS_ORIGINS),
  };
  return {
    ...identity,
    ...edge,
    findKey: edge.admissions.find,
    admitKey: async (request, keyHash) =>
      acceptKey(
        edge,
        await edge.admissions.admit({ ip: clientAddress(request), keyHash, isContent: false }),
        request,
      ),
  };
}

async function createCounting(
  runtime: GatewayRuntime,
): Promise<Pick<EdgeDeps, 'limits' | 'redis' | 'admissions'>> {
  const { settings, log, shutdown } = runtime;
  const limits = {
    perIp: settings.LIMIT_PER_IP,
    perKey: settings.LIMIT_PER_KEY,
    contentPerKey: settings.LIMIT_CONTENT_PER_KEY,
  };
  const redis = settings.REDIS_URL === undefined ? null : await openRedisLink(settings.REDIS_URL, log);
  log.info({ limits: redis ? 'redis' : 'memory' }, 'requests are counted');
  const admissions = createAdmissions(runtime, limits, redis);
  shutdown.add('stores', 'gateway limits', () => admissions.close());
  return { limits, redis, admissions };
}

function createIdentity(
  runtime: GatewayRuntime,
  { isExcepted, ...common }: CommonDeps & Pick<EdgeDeps, 'isExcepted'>,
  { consoleEntry, clientDocumentTargets, pushTargets: targets }: GatewayOptions,
): Omit<IdentityDeps, keyof CommonDeps | 'admissions' | 'changes'> {
  const { settings, shutdown } = runtime;
  const { publicUrl, now, log } = common;
  const { hostname, origin } = new URL(publicUrl);
  const ring = settings.SERVICE_SIGNING_KEYS ?? [];
  const perGateway = (limit: number): number => Math.floor(limit / settings.GATEWAY_REPLICAS);
  const mailer = openMailer(settings, consoleEntry !== null);
  if (mailer) shutdown.add('stores', 'gateway mailer', async () => mailer.close());
  const sender = createPushSender(targets);
  shutdown.add('stores', 'gateway push sender', () => sender.close());
  const documents = createClientDocuments(clientDocumentTargets);
  shutdown.add('stores', 'gateway client documents', () => documents.close());
  const afterAnswer = createAfterAnswer(log);
  // The server has stopped by then, and the database has not.
  shutdown.add('workers', 'gateway work after answers', () => afterAnswer.drain());
  return {
    imprint: {
      appName: settings.APP_NAME,
      privacyUrl: settings.PRIVACY_URL ?? null,
      termsUrl: settings.TERMS_URL ?? null,
    },
    keysMax: settings.LIMIT_KEYS,
    uses: { keys: createKeyUse(now), sessions: createKeyUse(now) },
    passwords: createPasswords(),
    signUps: {
      ...createPerAddress(Math.max(1, perGateway(settings.SIGN_UPS_PER_HOUR)), 60, isExcepted),
      openTo: settings.SIGN_UP ?? (settings.OIDC_ISSUER === undefined ? 'invite' : 'closed'),
    },
    // Never fewer than the ten of one person, who would lock out everybody behind the same address.
    failedSignIns: createPerAddress(Math.max(11, perGateway(failedSignInsPerQuarterHour)), 15, isExcepted),
    afterAnswer,
    mailer,
    push: { vapid: createVapid(ring, common), sender, targets },
    requiresVerification: settings.EMAIL_VERIFICATION === 'required',
    auditDays: settings.AUDIT_RETENTION_DAYS,
    oidc: {
      signIn: createSignIn(runtime, publicUrl),
      emailDomains: settings.OIDC_EMAIL_DOMAINS,
      cookies: createOidcCookies(ring, { publicUrl, nowMs: () => now().getTime() }),
      requests: createPerAddress(oidcRequestsPerMinute, 1, isExcepted),
    },
    passkeys: {
      ...{ challenges: createChallenges(ring), rpId: hostname, origin },
      changes: createPerAddress(passkeyChangesPerHour, 60, () => false),
    },
    exports: { links: createExportLinks(publicUrl, ring), downloads: createDownloads(isExcepted) },
    clients: {
      documents,
      documentTargets: clientDocumentTargets,
      registrations: createPerAddress(Math.max(1, perGateway(registrationsPerHour)), 60, isExcepted),
    },
  };
}

function createSite(
  { settings, db, log, now, peers, shutdown }: GatewayRuntime,
  { patience, consoleFolder, consoleEntry }: GatewayOptions,
): Pick<SiteDeps, 'changes' | 'streams' | 'consoleFolder' | 'consoleEntry' | 'corsOrigins'> {
  const streams = createStreams({
    findNews: open => findNews({ db, peers, log, now }, open),
    log,
    everyMs: patience.streamsMs,
  });
  shutdown.add('door', 'gateway streams', () => streams.close());
  return {
    changes: createChanges(),
    streams,
    consoleFolder,
    consoleEntry,
    corsOrigins: settings.CORS_ORIGINS,
  };
}

function openForwarder(
  { settings, log, sign, drain, shutdown }: GatewayRuntime,
  { clientAddress }: CommonDeps,
): Forwarder {
  const forwarder = createForwarder({
    urls: peerUrls(settings),
    sign,
    clientAddress,
    log,
    isStopping: () => drain.isOn,
    slowMax: Math.max(1, Math.floor(slowMax / settings.GATEWAY_REPLICAS)),
    generationMs: generationMsOf(settings),
  });
  shutdown.add('stores', 'gateway upstreams', () => forwarder.close());
  return forwarder;
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

/** @param hasEntry true with `npm start`, whose first user proves the address by the printed link */
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
