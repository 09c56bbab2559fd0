import { notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/auth';
import { addRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import { signIn } from '../actions/sign-in.ts';
import { signOut } from '../actions/sign-out.ts';
import { signUp } from '../actions/sign-up.ts';
import type { SignedIn } from '../actions/start-session.ts';
import type { GatewayDeps } from '../deps.ts';
import { apiRoot } from '../public-api.ts';
import { findOidcUserById } from '../queries/oidc-users.ts';
import { findUser } from '../queries/users.ts';
import { toSession } from '../records/session.ts';
import { toUser } from '../records/user.ts';
import { toWorkspaceId } from '../rules/workspace-id.ts';
import { fromOf, sessionOf } from './session-of.ts';

export function addAuthRoutes(app: FastifyInstance, deps: GatewayDeps): void {
  addRoute(
    app,
    contracts.signUp,
    async ({ body, request }) => signedIn(await signUp(deps, body, fromOf(deps, request))),
    apiRoot,
  );
  addRoute(
    app,
    contracts.signIn,
    async ({ body, request }) => signedIn(await signIn(deps, body, fromOf(deps, request))),
    apiRoot,
  );

  addRoute(
    app,
    contracts.signOut,
    async ({ request }) => {
      const session = sessionOf(request);
      await signOut(deps, session);
      return { data: { id: session.id, deleted: true as const } };
    },
    apiRoot,
  );

  addRoute(
    app,
    contracts.getSession,
    async ({ request }) => {
      const session = sessionOf(request);
      const find = session.isOidc ? findOidcUserById : findUser;
      const user = await find(deps.db, session.userId);
      if (!user) throw notFound('session');
      return {
        data: {
          user: toUser(user),
          session: toSession(session),
          workspaceId: toWorkspaceId(session.accountId),
        },
      };
    },
    apiRoot,
  );
}

function signedIn({ user, session }: SignedIn) {
  return { data: { user: toUser(user), session: { ...toSession(session), token: session.token } } };
}
