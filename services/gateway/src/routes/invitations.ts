import { notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/workspace';
import { answerText, jsonHeaders, RawAnswer } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance } from 'fastify';
import { acceptInvitation, acceptWithSession } from '../actions/accept-invitation.ts';
import { invite } from '../actions/invite.ts';
import { toSignedIn } from '../actions/start-session.ts';
import { withdrawInvitation } from '../actions/withdraw-invitation.ts';
import type { GatewayDeps } from '../deps.ts';
import { listInvitations } from '../queries/invitations.ts';
import { findPerson } from '../queries/oidc-users.ts';
import { toInvitation } from '../records/invitation.ts';
import { toSession } from '../records/session.ts';
import { toUser } from '../records/user.ts';
import { addOwnRoute, addOwnWriteRoute, addSignInRoute } from './own-route.ts';
import { byOf, fromOf, sessionOf } from './session-of.ts';

export function addInvitationRoutes(app: FastifyInstance, deps: GatewayDeps): void {
  addSignInRoute(app, deps, contracts.acceptInvitation, async ({ body, request }) => {
    const from = fromOf(deps, request);
    const { session } = request;
    if (!session) return toSignedIn(await acceptInvitation(deps, body, from));
    await acceptWithSession(deps, body, session, from);
    const person = await findPerson(deps.db, session.userId);
    if (!person) throw notFound('session');
    const text = answerText(contracts.acceptInvitation, {
      data: { user: toUser(person), session: toSession(session) },
    });
    return new RawAnswer(200, text, jsonHeaders);
  });

  addOwnWriteRoute(app, deps, contracts.createInvitation, {
    async write(tx, { body, request }) {
      const { row, ...made } = await invite(deps, tx, byOf(deps, request), sessionOf(request), body);
      return { data: { ...toInvitation(row), ...made } };
    },
    // A replay cannot contain the link: it is not stored.
    keep: ({ data: { url: _, ...record } }) => answerText(contracts.createInvitation, { data: record }),
  });

  addOwnRoute(app, contracts.listInvitations, async ({ caller, query }) => {
    const page = readPage(query);
    return toPage(await listInvitations(deps.db, caller.accountId, page), page, toInvitation);
  });

  addOwnRoute(app, contracts.deleteInvitation, async ({ caller, params: { id }, request }) => {
    await withdrawInvitation(deps, byOf(deps, request), caller.accountId, id);
    return { data: { id, deleted: true as const } };
  });
}
