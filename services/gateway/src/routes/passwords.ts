import * as contracts from '@hookline/shared/contracts/auth';
import type { FastifyInstance } from 'fastify';
import { changePassword, requestReset, resetPassword } from '../actions/set-password.ts';
import { signIn } from '../actions/sign-in.ts';
import { signUp } from '../actions/sign-up.ts';
import { toSignedIn } from '../actions/start-session.ts';
import { verifyEmail } from '../actions/verify-email.ts';
import type { GatewayDeps } from '../deps.ts';
import { toUser } from '../records/user.ts';
import { addOwnRoute, addSignInRoute } from './own-route.ts';
import { fromOf, sessionOf } from './session-of.ts';

export function addPasswordRoutes(app: FastifyInstance, deps: GatewayDeps): void {
  addSignInRoute(app, deps, contracts.signUp, async ({ body, request }) =>
    toSignedIn(await signUp(deps, body, fromOf(deps, request))),
  );

  addSignInRoute(app, deps, contracts.signIn, async ({ body, request }) =>
    toSignedIn(await signIn(deps, body, fromOf(deps, request))),
  );

  addOwnRoute(app, contracts.requestPasswordReset, async ({ body }) => {
    await requestReset(deps, body.email);
    return { data: { accepted: true as const } };
  });

  addOwnRoute(app, contracts.confirmPasswordReset, async ({ body, request }) => ({
    data: toUser(await resetPassword(deps, body, fromOf(deps, request))),
  }));

  addOwnRoute(app, contracts.verifyEmail, async ({ body, request }) => ({
    data: toUser(await verifyEmail(deps, body, request.session, fromOf(deps, request))),
  }));

  addOwnRoute(app, contracts.changePassword, async ({ body, request }) => ({
    data: toUser(await changePassword(deps, sessionOf(request), body, fromOf(deps, request))),
  }));
}
