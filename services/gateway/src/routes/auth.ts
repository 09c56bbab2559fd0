import { notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/auth';
import * as workspaceContracts from '@hookline/shared/contracts/workspace';
import { answerText, jsonHeaders, RawAnswer } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance } from 'fastify';
import { acceptInvitation, acceptWithSession } from '../actions/accept-invitation.ts';
import { endOtherSessions, endSession } from '../actions/end-sessions.ts';
import { changePassword, requestReset, resetPassword } from '../actions/set-password.ts';
import { signIn } from '../actions/sign-in.ts';
import { signUp } from '../actions/sign-up.ts';
import type { SignedIn } from '../actions/start-session.ts';
import { verifyEmail } from '../actions/verify-email.ts';
import type { GatewayDeps } from '../deps.ts';
import { findOidcUserById } from '../queries/oidc-users.ts';
import { deleteSession, listSessions } from '../queries/sessions.ts';
import { findUser } from '../queries/users.ts';
import { type SessionRow, toSession, toSessionOfPerson } from '../records/session.ts';
import { toUser } from '../records/user.ts';
import { toWorkspaceId } from '../rules/workspace-id.ts';
import { addOwnRoute, addSignInRoute, addSignOutRoute } from './own-route.ts';
import { fromOf, sessionOf } from './session-of.ts';

export function addAuthRoutes(app: FastifyInstance, deps: GatewayDeps): void {
  addSignInRoute(app, deps, contracts.signUp, async ({ body, request }) =>
    signedIn(await signUp(deps, body, fromOf(deps, request))),
  );
  addSignInRoute(app, deps, contracts.signIn, async ({ body, request }) =>
    signedIn(await signIn(deps, body, fromOf(deps, request))),
  );

  addSignInRoute(app, deps, workspaceContracts.acceptInvitation, async ({ body, request }) => {
    const from = fromOf(deps, request);
    const { session } = request;
    if (!session) return signedIn(await acceptInvitation(deps, body, from));
    await acceptWithSession(deps, body, session, from);
    const text = answerText(workspaceContracts.acceptInvitation, {
      data: { user: await userOf(session), session: toSession(session) },
    });
    return new RawAnswer(200, text, jsonHeaders);
  });
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
  addOwnRoute(app, contracts.listSessions, async ({ query, request }) => {
    const page = readPage(query);
    const { id, userId } = sessionOf(request);
    const rows = await listSessions(deps.db, userId, deps.now(), page);
    return toPage(rows, page, row => toSessionOfPerson(row, id));
  });
  addOwnRoute(app, contracts.endOtherSessions, async ({ request }) => {
    const sessionIds = await endOtherSessions(deps, sessionOf(request));
    return { data: { sessionIds, deleted: true as const } };
  });
  addOwnRoute(app, contracts.endSession, async ({ params: { id }, request }) => {
    await endSession(deps, sessionOf(request), id);
    return { data: { id, deleted: true as const } };
  });

  addSignOutRoute(app, deps, contracts.signOut, async ({ request }) => {
    const { id } = sessionOf(request);
    await deleteSession(deps.db, id);
    return { data: { id, deleted: true as const } };
  });

  addOwnRoute(app, contracts.getSession, async ({ request }) => {
    const session = sessionOf(request);
    return {
      data: {
        user: await userOf(session),
        session: toSession(session),
        workspaceId: toWorkspaceId(session.accountId),
      },
    };
  });

  async function userOf(session: SessionRow) {
    const user =
      (await findUser(deps.db, session.userId)) ?? (await findOidcUserById(deps.db, session.userId));
    if (!user) throw notFound('session');
    return toUser(user);
  }
}

function signedIn({ user, session }: SignedIn) {
  return { data: { user: toUser(user), session: { ...toSession(session), token: session.token } } };
}
