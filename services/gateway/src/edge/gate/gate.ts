/**
 * The checks of every request, in the order of the spec: address, path, key or session, scopes, idempotency
 * header.
 */
import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import type { Caller } from '@hookline/shared/http';
import { matchedRoute, readIdempotencyKey } from '@hookline/shared/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EdgeDeps } from '../../edge-deps.ts';
import { keyHashOf } from '../../identity/keys/credential.ts';
import type { SessionRow } from '../../identity/sessions/record.ts';
import { methodsOf, type PublicRoute } from '../../public-api.ts';
import { acceptKey, findAdmittedKey } from './authenticate-key.ts';
import { createSessionGate } from './authenticate-session.ts';
import { authorizeKey } from './authorize.ts';
import { createAddressCounts } from './count-address.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    route?: PublicRoute | null;
    /** Paths that the router takes for this route's, and that are not. */
    fixedPaths?: readonly string[];
  }
  interface FastifyRequest {
    /** The session, on routes that need one or may do without; null elsewhere. */
    session: SessionRow | null;
  }
}

export type Gate = {
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

export function createGate(deps: EdgeDeps): Gate {
  const { admissions, clientAddress, inside, signUps } = deps;
  const counts = createAddressCounts(deps);
  const sessions = createSessionGate(deps, counts);

  async function callerAgain(request: FastifyRequest, route: PublicRoute, caller: Caller): Promise<Caller> {
    if (route.auth !== 'key') return await sessions.recheck(request, route, caller.accountId);
    return authorizeKey(route, await findAdmittedKey(deps, request));
  }

  return {
    countUnrouted: counts.countUnrouted,
    async check(request, reply) {
      const { route, fixedPaths } = matchedRoute(request).config;
      if (!route || !isMatched(request, fixedPaths)) {
        await counts.countUnrouted(request);
        throw refuseUnknown(request);
      }
      const { auth, contract, ipWindow } = route;
      // A cache may keep a 404, and sign-in returns a token.
      if (contract) reply.header('cache-control', 'no-store');
      if (ipWindow === 'other') counts.countOther(request);
      else if (ipWindow === 'platform') counts.countWhenRefused(request, reply);
      else if (auth === 'none' && !contract?.optionalSession) await sessions.admitAnonymous(request, route);
      if (contract?.id === 'signUp') signUps.count(clientAddress(request));
      let caller: Caller | null = null;
      if (auth === 'key') {
        const [ip, keyHash] = [clientAddress(request), keyHashOf(inside, request)];
        const admission = await admissions.admit({ ip, keyHash, isContent: route.countsAsContent });
        caller = authorizeKey(route, acceptKey(deps, admission, request));
      } else if (contract?.optionalSession) caller = await sessions.admitOptional(request, route);
      else if (auth === 'cookie') caller = await sessions.admitCookie(request, reply, route);
      else if (auth === 'session') caller = await sessions.admitBearer(request, route);
      request.call = { sender: 'gateway', requestId: request.id, caller };
      if (route.needsIdempotencyKey) readIdempotencyKey(request, 'required');
    },
    recheck(request, reply) {
      if (reply.elapsedTime < deps.patience.recheckMs) return null;
      const { call } = request;
      const { route } = matchedRoute(request).config;
      if (!route || !call?.caller) return null;
      return callerAgain(request, route, call.caller).then(caller => {
        request.call = { ...call, caller };
      });
    },
  };
}

/**
 * False for `/apps/`, which the router matches as `/apps/{id}` with an empty id, for a fixed path
 * without this method, and for unknown paths of the API that it matches as pages of the console.
 */
function isMatched(request: FastifyRequest, fixedPaths: readonly string[] = []): boolean {
  const params = request.params as Record<string, string>;
  for (const name in params) {
    const value = params[name] as string;
    if (name === '*' ? /^api(?:\/|$)/.test(value) : value === '') return false;
  }
  return fixedPaths.length === 0 || !fixedPaths.includes(pathOf(request));
}

function pathOf(request: FastifyRequest): string {
  return request.url.split(/[?#]/, 1)[0] ?? '';
}

function refuseUnknown(request: FastifyRequest): ApiError {
  const allow = methodsOf(pathOf(request));
  if (allow.length === 0) return new ApiError('not_found', 'No such path.');
  return invalidRequest(`This path answers ${allow.join(', ')} only.`, { status: 405, allow });
}
