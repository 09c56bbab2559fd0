import * as contracts from '@hookline/shared/contracts/passkeys';
import type { RouteContract } from '@hookline/shared/contracts/route';
import { addRoute, jsonHeaders, RawAnswer, type RouteHandler } from '@hookline/shared/http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IdentityDeps } from '../../identity-deps.ts';
import { consoleRoot } from '../../public-api.ts';
import { writeSessionCookie } from '../sessions/cookie.ts';
import { fromOf, sessionOf } from '../sessions/session-of.ts';
import { findUser } from '../users/queries.ts';
import { countRecoveryCodes } from '../users/queries-second-factor.ts';
import { toUser } from '../users/record.ts';
import { addPasskey, beginPasskey, removePasskey, renewRecoveryCodes } from './manage.ts';
import { listPasskeys } from './queries.ts';
import { toPasskey } from './record.ts';
import { beginPasskeySignIn, signInWithPasskey } from './sign-in.ts';

export function addPasskeyRoutes(app: FastifyInstance, deps: IdentityDeps): void {
  const add = <const R extends RouteContract>(contract: R, handler: RouteHandler<R>) =>
    addRoute(app, contract, handler, consoleRoot);
  const confirmation = (request: FastifyRequest, { password }: { password: string }) => ({
    session: sessionOf(request),
    password,
    from: fromOf(deps, request),
  });

  add(contracts.listPasskeys, async ({ request }) => {
    const { userId } = sessionOf(request);
    const user = await findUser(deps.db, userId);
    const passkeys = (await listPasskeys(deps.db, userId)).map(toPasskey);
    const recoveryCodes = await countRecoveryCodes(deps.db, userId);
    return { data: { offered: (user?.passwordHash ?? null) !== null, passkeys, recoveryCodes } };
  });

  add(contracts.beginPasskey, async ({ body, request }) => ({
    data: await beginPasskey(deps, confirmation(request, body)),
  }));

  add(contracts.addPasskey, async ({ body, request }) => {
    const given = { ...body, session: sessionOf(request) };
    const { passkey, recoveryCodes } = await addPasskey(deps, given, fromOf(deps, request));
    return { data: { passkey: toPasskey(passkey), recoveryCodes } };
  });

  add(contracts.removePasskey, async ({ params: { id }, body, request }) => {
    await removePasskey(deps, confirmation(request, body), id);
    return { data: { id, deleted: true as const } };
  });

  add(contracts.renewRecoveryCodes, async ({ body, request }) => ({
    data: { recoveryCodes: await renewRecoveryCodes(deps, confirmation(request, body)) },
  }));

  add(contracts.beginPasskeySignIn, async () => ({ data: beginPasskeySignIn(deps) }));

  add(contracts.signInWithPasskey, async ({ body, request }) => {
    const { user, session } = await signInWithPasskey(deps, body, fromOf(deps, request));
    const { token, expiresAt } = session;
    const cookie = writeSessionCookie({ token, expiresAt: expiresAt.toISOString() }, deps.publicUrl);
    const text = JSON.stringify({ data: { user: toUser(user) } });
    return new RawAnswer(200, text, { ...jsonHeaders, 'set-cookie': cookie });
  });
}
