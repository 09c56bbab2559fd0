import * as contracts from '@hookline/shared/contracts/auth';
import type { FastifyInstance } from 'fastify';
import type { IdentityDeps } from '../../identity-deps.ts';
import { addOwnRoute, addSignInRoute } from '../sessions/own-route.ts';
import { fromOf, sessionOf } from '../sessions/session-of.ts';
import { toSignedIn } from '../sessions/start.ts';
import { toUser } from '../users/record.ts';
import { changePassword, requestReset, resetPassword } from './set.ts';
import { recoveryCodeFactor, signIn } from './sign-in.ts';
import { signUp } from './sign-up.ts';
import { verifyEmail } from './verify-email.ts';

export function addPasswordRoutes(app: FastifyInstance, deps: IdentityDeps): void {
  addSignInRoute(app, deps, contracts.signUp, async ({ body, request }) =>
    toSignedIn(await signUp(deps, body, fromOf(deps, request))),
  );

  addSignInRoute(app, deps, contracts.signIn, async ({ body, request }) => {
    const { recoveryCode } = body;
    const second = recoveryCode === undefined ? null : recoveryCodeFactor(deps, recoveryCode);
    return toSignedIn(await signIn(deps, body, fromOf(deps, request), second));
  });

  addOwnRoute(app, contracts.requestPasswordReset, async ({ body }) => {
    await requestReset(deps, body.email);
    return { data: { accepted: true as const } };
  });

  addOwnRoute(app, contracts.confirmPasswordReset, async ({ body, request }) => ({
    data: toUser(await resetPassword(deps, body, fromOf(deps, request))),
  }));

  addOwnRoute(app, contracts.verifyEmail, async ({ body, request }) => ({
    data: toUser(await verifyEmail(deps, { ...body, session: request.session }, fromOf(deps, request))),
  }));

  addOwnRoute(app, contracts.changePassword, async ({ body, request }) => ({
    data: toUser(await changePassword(deps, { ...body, session: sessionOf(request) }, fromOf(deps, request))),
  }));
}
