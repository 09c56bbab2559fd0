import { type ApiError, invalidRequest, notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/auth';
import { addRoute } from '@hookline/shared/http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { signIn } from '../actions/sign-in.ts';
import { signUp } from '../actions/sign-up.ts';
import type { SignedIn } from '../actions/start-session.ts';
import type { GatewayDeps } from '../deps.ts';
import { apiRoot } from '../public-api.ts';
import { findOidcUserById } from '../queries/oidc-users.ts';
import { deleteSession, type SessionRow } from '../queries/sessions.ts';
import { findUser, type UserRow } from '../queries/users.ts';

export function addAuthRoutes(app: FastifyInstance, deps: GatewayDeps): void {
  addRoute(app, contracts.signUp, async ({ body }) => signedIn(await signUp(deps, body)), apiRoot);
  addRoute(app, contracts.signIn, async ({ body }) => signedIn(await signIn(deps, body)), apiRoot);

  addRoute(
    app,
    contracts.signOut,
    async ({ request }) => {
      const { id, isOidc, expiresAt } = sessionOf(request);
      if (isOidc) throw notOursToEnd(expiresAt);
      await deleteSession(deps.db, id);
      return { data: { id, deleted: true as const } };
    },
    apiRoot,
  );

  addRoute(
    app,
    contracts.getSession,
    async ({ request }) => {
      const session = sessionOf(request);
      const user = session.isOidc
        ? await findOidcUserById(deps.db, session.userId)
        : await findUser(deps.db, session.userId);
      if (!user) throw notFound('session');
      return { data: { user: userRecord(user), session: sessionRecord(session) } };
    },
    apiRoot,
  );
}

function sessionOf(request: FastifyRequest): SessionRow {
  if (!request.session) throw new Error('the gate let a request without a session through');
  return request.session;
}

function signedIn({ user, session }: SignedIn) {
  return { data: { user: userRecord(user), session: { ...sessionRecord(session), token: session.token } } };
}

/** A "deleted" would be untrue: the token says itself until when it is valid (API-11). */
function notOursToEnd(expiresAt: Date): ApiError {
  return invalidRequest(
    `This session is a token of the OIDC issuer and cannot be ended here: sign out at the issuer and drop the token, which is accepted until ${expiresAt.toISOString()}.`,
  );
}

function userRecord(user: Omit<UserRow, 'email' | 'accountId' | 'passwordHash'> & { email: string | null }) {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
  };
}

/** A session never changes, so it was last updated when it was made. */
function sessionRecord(session: { id: string; expiresAt: Date; createdAt: Date }) {
  const createdAt = session.createdAt.toISOString();
  return { id: session.id, expiresAt: session.expiresAt.toISOString(), createdAt, updatedAt: createdAt };
}
