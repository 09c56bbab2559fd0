import { ApiError } from '@hookline/shared/contracts';
import type { Caller } from '@hookline/shared/http';
import { sha256 } from '@hookline/shared/kernel/sha256';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EdgeDeps } from '../../edge-deps.ts';
import { bearerOf } from '../../identity/keys/credential.ts';
import { readSessionCookie, refuseCrossSite, writeSessionCookie } from '../../identity/sessions/cookie.ts';
import { findSession } from '../../identity/sessions/queries.ts';
import type { SessionRow } from '../../identity/sessions/record.ts';
import { isSessionToken } from '../../identity/sessions/token.rules.ts';
import type { PublicRoute } from '../../public-api.ts';
import { perSession } from '../limits/admission.ts';
import { countOrRefuse } from '../limits/windows.ts';
import { authorizeSession, refuseUnverified } from './authorize.ts';
import type { AddressCounts } from './count-address.ts';

export type SessionGate = {
  admitBearer(request: FastifyRequest, route: PublicRoute): Promise<Caller>;
  /** Admits a session in a cookie, which has a window of its own: people of one office share an address. */
  admitCookie(request: FastifyRequest, reply: FastifyReply, route: PublicRoute): Promise<Caller>;
  /**
   * Admits a request that may do without a session. A bearer token that is sent must be valid; a cookie, which
   * nobody sends on purpose, counts as none when its session is gone.
   */
  admitOptional(request: FastifyRequest, route: PublicRoute): Promise<Caller | null>;
  admitAnonymous(request: FastifyRequest, route: PublicRoute): Promise<void>;
  /** Checks the session of an admitted request again, which is not counted again. */
  recheck(request: FastifyRequest, route: PublicRoute, accountId: string): Promise<Caller>;
};

export function createSessionGate(deps: EdgeDeps, counts: AddressCounts): SessionGate {
  const { db, now, publicUrl, limits, cookieWindows } = deps;
  const publicOrigin = new URL(publicUrl).origin;

  async function findOfCookie({ headers }: FastifyRequest): Promise<SessionRow | null> {
    const token = readSessionCookie(headers.cookie, publicUrl);
    return token === null ? null : await findSession(db, sha256(token), now());
  }

  async function findOfBearer(request: FastifyRequest): Promise<SessionRow> {
    const token = bearerOf(request);
    const session =
      token !== null && isSessionToken(token) ? await findSession(db, sha256(token), now()) : null;
    if (session) return session;
    throw new ApiError(
      'unauthorized',
      'Send the token of a login session as "Authorization: Bearer sess_...".',
    );
  }

  function admit(request: FastifyRequest, route: PublicRoute, session: SessionRow): Caller {
    request.session = session;
    deps.uses.sessions.add(session.id);
    refuseUnverified(deps, route, session);
    return authorizeSession(route, session);
  }

  function countAndAdmit(request: FastifyRequest, route: PublicRoute, session: SessionRow): Caller {
    const caller = admit(request, route, session);
    countOrRefuse(cookieWindows, [
      { name: session.id, limit: perSession(limits) },
      ...(route.countsAsContent ? [{ name: `content ${session.id}`, limit: limits.contentPerKey }] : []),
    ]);
    return caller;
  }

  /** Null without a session; such a request counts like one of a client. */
  async function findCaller(request: FastifyRequest, route: PublicRoute): Promise<Caller | null> {
    counts.countOther(request);
    refuseCrossSite(request, publicOrigin);
    const session = await findOfCookie(request);
    if (session) return countAndAdmit(request, route, session);
    await counts.countApi(request);
    return null;
  }

  async function admitAnonymous(request: FastifyRequest, { isConsole }: PublicRoute): Promise<void> {
    await counts.countApi(request);
    if (isConsole) refuseCrossSite(request, publicOrigin);
  }

  return {
    admitAnonymous,
    async admitBearer(request, route) {
      await counts.countApi(request);
      return admit(request, route, await findOfBearer(request));
    },
    async admitCookie(request, reply, route) {
      const caller = await findCaller(request, route);
      if (caller) return caller;
      // A script cannot drop the cookie of a session that is gone, and this answers its sign-out too.
      reply.header('set-cookie', writeSessionCookie(null, publicUrl));
      throw new ApiError('unauthorized', 'Sign in first: this needs the cookie of a session.');
    },
    async admitOptional(request, route) {
      if (route.isConsole) return await findCaller(request, route);
      await admitAnonymous(request, route);
      if (request.headers.authorization === undefined) return null;
      return admit(request, route, await findOfBearer(request));
    },
    async recheck(request, route, accountId) {
      const hasCookie = route.isConsole || route.auth === 'cookie';
      const session = hasCookie ? await findOfCookie(request) : await findOfBearer(request);
      if (session?.accountId !== accountId) {
        throw new ApiError('unauthorized', 'The session has ended, or has left the workspace.');
      }
      const caller = authorizeSession(route, session);
      request.session = session;
      return caller;
    },
  };
}
