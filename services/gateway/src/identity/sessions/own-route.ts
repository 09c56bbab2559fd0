/** Registers a route of the gateway under both roots: for bearer tokens, and for the cookie of a browser. */
import type { ResponseOf, RouteContract } from '@hookline/shared/contracts/route';
import {
  addRoute,
  addWriteRoute,
  answerText,
  jsonHeaders,
  RawAnswer,
  type RouteHandler,
  type WriteSteps,
} from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import type { IdentityDeps } from '../../identity-deps.ts';
import { apiRoot, consoleRoot } from '../../public-api.ts';
import { writeSessionCookie } from './cookie.ts';

export function addOwnRoute<const R extends RouteContract>(
  app: FastifyInstance,
  contract: R,
  handler: RouteHandler<R>,
): void {
  addRoute(app, contract, handler, apiRoot);
  addRoute(app, contract, handler, consoleRoot);
}

export function addOwnWriteRoute<const R extends RouteContract, P = undefined>(
  app: FastifyInstance,
  deps: IdentityDeps,
  contract: R,
  steps: WriteSteps<R, P>,
): void {
  addWriteRoute(app, deps, contract, steps, apiRoot);
  addWriteRoute(app, deps, contract, steps, consoleRoot);
}

type Answer = { data: { session: { token?: string; expiresAt: string } } };

/** A route that answers a session: a browser gets its token as a cookie and not in the body. */
export function addSignInRoute<const R extends RouteContract>(
  app: FastifyInstance,
  { publicUrl }: Pick<IdentityDeps, 'publicUrl'>,
  contract: R,
  handler: RouteHandler<R>,
): void {
  addCookieRoute(app, contract, handler, text => {
    const checked = JSON.parse(text) as Answer;
    const { token, ...session } = checked.data.session;
    if (token === undefined) return null;
    const cookie = writeSessionCookie({ token, expiresAt: session.expiresAt }, publicUrl);
    return { text: JSON.stringify({ data: { ...checked.data, session } }), cookie };
  });
}

/** A route that ends the session: a browser drops the cookie. */
export function addSignOutRoute<const R extends RouteContract>(
  app: FastifyInstance,
  { publicUrl }: Pick<IdentityDeps, 'publicUrl'>,
  contract: R,
  handler: RouteHandler<R>,
): void {
  addCookieRoute(app, contract, handler, text => ({ text, cookie: writeSessionCookie(null, publicUrl) }));
}

/** @param change the answer to a browser with the cookie that it sets; null: the answer as it is */
function addCookieRoute<const R extends RouteContract>(
  app: FastifyInstance,
  contract: R,
  handler: RouteHandler<R>,
  change: (text: string) => { text: string; cookie: string } | null,
): void {
  addRoute(app, contract, handler, apiRoot);
  const withCookie: RouteHandler<R> = async input => {
    const answer = await handler(input);
    if (answer instanceof RawAnswer) return answer;
    const changed = change(answerText(contract, answer as ResponseOf<R>));
    if (!changed) return answer;
    return new RawAnswer(contract.status, changed.text, { ...jsonHeaders, 'set-cookie': changed.cookie });
  };
  addRoute(app, contract, withCookie, consoleRoot);
}
