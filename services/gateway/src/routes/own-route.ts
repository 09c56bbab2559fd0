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
import type { GatewayDeps } from '../deps.ts';
import { writeSessionCookie } from '../gate/session-cookie.ts';
import { apiRoot, consoleRoot } from '../public-api.ts';

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
  deps: GatewayDeps,
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
  { publicUrl }: Pick<GatewayDeps, 'publicUrl'>,
  contract: R,
  handler: RouteHandler<R>,
): void {
  addRoute(app, contract, handler, apiRoot);
  const toCookie: RouteHandler<R> = async input => {
    const answer = await handler(input);
    if (answer instanceof RawAnswer) return answer;
    const checked = JSON.parse(answerText(contract, answer as ResponseOf<R>)) as Answer;
    const { token, ...session } = checked.data.session;
    if (token === undefined) return answer;
    const body = JSON.stringify({ data: { ...checked.data, session } });
    const cookie = writeSessionCookie({ token, expiresAt: session.expiresAt }, publicUrl);
    return new RawAnswer(contract.status, body, { ...jsonHeaders, 'set-cookie': cookie });
  };
  addRoute(app, contract, toCookie, consoleRoot);
}

/** A route that ends the session: a browser drops the cookie. */
export function addSignOutRoute<const R extends RouteContract>(
  app: FastifyInstance,
  { publicUrl }: Pick<GatewayDeps, 'publicUrl'>,
  contract: R,
  handler: RouteHandler<R>,
): void {
  addRoute(app, contract, handler, apiRoot);
  const dropCookie: RouteHandler<R> = async input => {
    const answer = await handler(input);
    if (answer instanceof RawAnswer) return answer;
    const headers = { ...jsonHeaders, 'set-cookie': writeSessionCookie(null, publicUrl) };
    return new RawAnswer(contract.status, answerText(contract, answer as ResponseOf<R>), headers);
  };
  addRoute(app, contract, dropCookie, consoleRoot);
}
