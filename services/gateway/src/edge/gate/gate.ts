/**
 * The checks of every request, in the order of the spec: address, path, key or session, scopes, idempotency
 * header.
 */
import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import type { Role, Scope } from '@hookline/shared/contracts/scopes';
import type { Caller } from '@hookline/shared/http';
import { readIdempotencyKey } from '@hookline/shared/http';
import { sha256 } from '@hookline/shared/kernel/sha256';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayDeps } from '../../deps.ts';
import { bearerOf } from '../../identity/keys/credential.ts';
import type { KeyRecord } from '../../identity/keys/record.ts';
import { readSessionCookie, refuseCrossSite, writeSessionCookie } from '../../identity/sessions/cookie.ts';
import { findSession } from '../../identity/sessions/queries.ts';
import type { SessionRow } from '../../identity/sessions/record.ts';
import { isSessionToken } from '../../identity/sessions/token.rules.ts';
import { scopesOfRole } from '../../identity/standing/roles.rules.ts';
import { frozenText } from '../../identity/standing/workspace.rules.ts';
import { apiRoot, consoleRoot, isFixedPath, methodsOf, type PublicRoute } from '../../public-api.ts';
import { countOrRefuse, refuseWhenFull } from '../limits/count-or-refuse.ts';
import { createWindows } from '../limits/windows.ts';
import { acceptOrThrow, admitAgain, admitKey } from './admit-key.ts';
import { toCaller } from './caller.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    route?: PublicRoute | null;
  }
  interface FastifyRequest {
    /** The session, on routes that need one or may do without; null elsewhere. */
    session: SessionRow | null;
  }
}

export type Gate = {
  /** @throws ApiError if the request is refused. */
  check(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /**
   * Checks key or session again of a request that began more than `recheckMs` ago: its body and its turn may
   * take 40 s, in which the key may be revoked. Null when there is nothing to check. Rejects with an ApiError
   * when the request is refused.
   */
  recheck(request: FastifyRequest, reply: FastifyReply): Promise<void> | null;
  /** Counts a request that matched no route. @throws ApiError `rate_limited` */
  countUnrouted(request: FastifyRequest): Promise<void>;
};

export function createGate(deps: GatewayDeps): Gate {
  const { db, admissions, clientAddress, cookieWindows, now } = deps;
  // Requests a minute and address outside the API (images, docs, health). Higher, because a page loads many
  // images.
  const otherPerIp = deps.limits.perIp * 10;
  const otherWindows = createWindows(20_000);
  const refusedWindows = createWindows(20_000);
  const publicOrigin = new URL(deps.publicUrl).origin;

  function countOther(request: FastifyRequest): void {
    const name = clientAddress(request);
    countOrRefuse(otherWindows, [{ name, limit: otherPerIp }]);
  }

  /** Counts a request only if its answer is a refusal: this slows down guessing but not the platform. */
  function countWhenRefused(request: FastifyRequest, reply: FastifyReply): void {
    // Read now: a closed socket has no address.
    const name = clientAddress(request);
    refuseWhenFull(refusedWindows, [{ name, limit: otherPerIp }]);
    reply.raw.once('close', () => {
      const { statusCode } = reply.raw;
      if (statusCode === 401 || statusCode === 404) refusedWindows.take(name, otherPerIp, performance.now());
    });
  }

  async function countApi(request: FastifyRequest): Promise<void> {
    const ip = clientAddress(request);
    acceptOrThrow(await admissions.admit({ ip, keyHash: null, isContent: false }));
  }

  async function countUnrouted(request: FastifyRequest): Promise<void> {
    if (isApiPath(request.url)) await countApi(request);
    else countOther(request);
  }

  async function checkKey(request: FastifyRequest, route: PublicRoute): Promise<Caller> {
    return callerOfKey(route, await admitKey(deps, request, route.countsAsContent));
  }

  function callerOfKey(route: PublicRoute, key: KeyRecord): Caller {
    requireScopes(route, key.scopes, 'This API key');
    refuseFrozen(route, key.deletesAtMs);
    return toCaller({ ...key, userId: null });
  }

  async function callerAgain(request: FastifyRequest, route: PublicRoute, caller: Caller): Promise<Caller> {
    if (route.auth === 'key') return callerOfKey(route, await admitAgain(deps, request));
    const session = route.isConsole ? await sessionOfCookie(request) : await sessionOfBearer(request);
    if (session?.accountId !== caller.accountId) {
      throw new ApiError('unauthorized', 'The session has ended, or has left the workspace.');
    }
    if (route.roles && !route.roles.includes(session.role)) throw refuseRole(session.role, route.roles);
    refuseFrozen(route, session.deletesAtMs);
    const again = callerOfSession(session);
    if (route.auth === 'cookie') requireScopes(route, again.scopes, `Your role, ${session.role},`);
    request.session = session;
    return again;
  }

  async function checkSession(request: FastifyRequest, route: PublicRoute): Promise<Caller> {
    await countApi(request);
    const session = await sessionOfBearer(request);
    admitSession(request, route, session);
    return callerOfSession(session);
  }

  /** A session in a cookie: the caller has the scopes of the role. */
  async function checkCookie(
    request: FastifyRequest,
    reply: FastifyReply,
    route: PublicRoute,
  ): Promise<Caller> {
    await countApi(request);
    refuseCrossSite(request, publicOrigin);
    const session = await sessionOfCookie(request);
    if (!session) {
      // A script cannot drop the cookie of a session that is gone, and this answers its sign-out too.
      reply.header('set-cookie', writeSessionCookie(null, deps.publicUrl));
      throw new ApiError('unauthorized', 'Sign in first: this needs the cookie of a session.');
    }
    return admitCookie(request, route, session);
  }

  async function sessionOfCookie({ headers }: FastifyRequest): Promise<SessionRow | null> {
    const token = readSessionCookie(headers.cookie, deps.publicUrl);
    return token === null ? null : await findSession(db, sha256(token), now());
  }

  function admitCookie(request: FastifyRequest, route: PublicRoute, session: SessionRow): Caller {
    admitSession(request, route, session);
    const caller = callerOfSession(session);
    requireScopes(route, caller.scopes, `Your role, ${session.role},`);
    countCookie(session.id, route);
    return caller;
  }

  /** The limits of a key, counted by this gateway alone: a person's browser talks to few of them. */
  function countCookie(sessionId: string, { countsAsContent }: PublicRoute): void {
    countOrRefuse(cookieWindows, [
      { name: sessionId, limit: deps.limits.perKey },
      ...(countsAsContent ? [{ name: `content ${sessionId}`, limit: deps.limits.contentPerKey }] : []),
    ]);
  }

  function admitSession(request: FastifyRequest, route: PublicRoute, session: SessionRow): void {
    request.session = session;
    deps.sessionUse.add(session.id);
    refuseUnverified(session, route.contract?.path ?? '');
    if (route.roles && !route.roles.includes(session.role)) throw refuseRole(session.role, route.roles);
    refuseFrozen(route, session.deletesAtMs);
  }

  /** @throws ApiError `unauthorized` */
  async function sessionOfBearer(request: FastifyRequest): Promise<SessionRow> {
    const token = bearerOf(request);
    const session =
      token !== null && isSessionToken(token) ? await findSession(db, sha256(token), now()) : null;
    if (session) return session;
    throw new ApiError(
      'unauthorized',
      'Send the token of a login session as "Authorization: Bearer sess_...".',
    );
  }

  return {
    countUnrouted,
    async check(request, reply) {
      const route = hasRoute(request) && !isOfFixedPath(request) ? request.routeOptions.config.route : null;
      if (!route) {
        await countUnrouted(request);
        throw refuseUnknown(request);
      }
      // Also for errors and sign-in: a cache may keep a 404, and sign-in returns a token.
      if (route.contract) reply.header('cache-control', 'no-store');
      if (route.ipWindow === 'other') countOther(request);
      else if (route.ipWindow === 'platform') countWhenRefused(request, reply);
      else if (route.auth === 'none' && !route.contract?.optionalSession) await checkOpen(request, route);
      if (route.contract?.id === 'signUp') deps.signUps.count(clientAddress(request));
      const caller = await callerOf(request, reply, route);
      request.call = { sender: 'gateway', requestId: request.id, caller };
      if (route.needsIdempotencyKey) readIdempotencyKey(request, 'required');
    },
    recheck(request, reply) {
      if (reply.elapsedTime < deps.patience.recheckMs) return null;
      const { call } = request;
      const { route } = request.routeOptions.config;
      const caller = call?.caller;
      if (!route || !caller) return null;
      return callerAgain(request, route, caller).then(again => {
        request.call = { ...call, caller: again };
      });
    },
  };

  /**
   * The session of a request that may do without. A bearer token that is sent must be valid; a cookie, which
   * nobody sends on purpose, counts as none when its session is gone.
   */
  async function checkOptionalSession(request: FastifyRequest, route: PublicRoute): Promise<Caller | null> {
    await checkOpen(request, route);
    if (route.isConsole) {
      const session = await sessionOfCookie(request);
      return session && admitCookie(request, route, session);
    }
    if (request.headers.authorization === undefined) return null;
    const session = await sessionOfBearer(request);
    admitSession(request, route, session);
    return callerOfSession(session);
  }

  /** A route without credentials. */
  async function checkOpen(request: FastifyRequest, { isConsole }: PublicRoute): Promise<void> {
    await countApi(request);
    if (isConsole) refuseCrossSite(request, publicOrigin);
  }

  function refuseUnverified({ isVerified }: SessionRow, path: string): void {
    if (isVerified || !deps.requiresVerification || path.startsWith('/auth/')) return;
    throw new ApiError(
      'missing_scope',
      `Your e-mail address is not proven yet: ${deps.mailer ? 'open the link that was mailed to you.' : 'nobody can be mailed a link here before SMTP_URL is set.'}`,
    );
  }

  function callerOf(
    request: FastifyRequest,
    reply: FastifyReply,
    route: PublicRoute,
  ): Promise<Caller | null> | null {
    if (route.auth === 'key') return checkKey(request, route);
    if (route.contract?.optionalSession) return checkOptionalSession(request, route);
    if (route.auth === 'cookie') return checkCookie(request, reply, route);
    return route.auth === 'session' ? checkSession(request, route) : null;
  }
}

function callerOfSession(session: SessionRow): Caller {
  return toCaller({ ...session, keyId: null, createdBy: null, scopes: scopesOfRole(session.role) });
}

/** @param who the start of the sentence that refuses */
function requireScopes({ scopes }: PublicRoute, held: readonly Scope[], who: string): void {
  const missing = scopes.filter(scope => !held.includes(scope));
  if (missing.length === 0) return;
  throw new ApiError('missing_scope', `${who} lacks the scope ${missing.join(' and ')}.`);
}

/** A workspace whose deletion was requested answers reads, and what one needs to leave or to stay. */
function refuseFrozen({ method, contract }: PublicRoute, deletesAtMs: number | null | undefined): void {
  // Absent in the record of a gateway of the version before, for the lease of a record.
  if ((deletesAtMs ?? null) === null || method === 'GET' || contract?.whileFrozen) return;
  throw invalidRequest(frozenText(deletesAtMs as number), { status: 409 });
}

function refuseRole(role: Role, roles: readonly Role[]): ApiError {
  const needed = roles.map(one => `an ${one}`.replace(/^an (?=v)/, 'a ')).join(' or ');
  return new ApiError(
    'missing_scope',
    `This needs the role of ${needed} in the workspace; yours is ${role}.`,
  );
}

/**
 * Also false for `/apps/`, which the router matches as `/apps/{id}` with an empty id, and for unknown paths
 * of the API that it matches as pages of the console.
 */
function hasRoute(request: FastifyRequest): boolean {
  if (request.is404) return false;
  for (const [name, value] of Object.entries(request.params as Record<string, string>)) {
    if (name === '*' ? /^api(?:\/|$)/.test(value) : value === '') return false;
  }
  return true;
}

/** A method that a fixed path does not answer, which the router matches as the `{id}` of another path. */
function isOfFixedPath(request: FastifyRequest): boolean {
  return (request.routeOptions.url?.includes('/:') ?? false) && isFixedPath(pathOf(request));
}

function pathOf(request: FastifyRequest): string {
  return request.url.split(/[?#]/, 1)[0] ?? '';
}

function isApiPath(url: string): boolean {
  return [apiRoot, consoleRoot].some(root => url.startsWith(`${root}/`) || url === root);
}

function refuseUnknown(request: FastifyRequest): ApiError {
  const allow = methodsOf(pathOf(request));
  if (allow.length === 0) return new ApiError('not_found', 'No such path.');
  return invalidRequest(`This path answers ${allow.join(', ')} only.`, { status: 405, allow });
}
