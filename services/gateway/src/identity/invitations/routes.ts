import { notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/workspace';
import { answerText, jsonHeaders, RawAnswer } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance } from 'fastify';
import type { IdentityDeps } from '../../identity-deps.ts';
import { addOwnRoute, addOwnWriteRoute, addSignInRoute } from '../sessions/own-route.ts';
import { toSession } from '../sessions/record.ts';
import { byOf, contextOf, fromOf } from '../sessions/session-of.ts';
import { toSignedIn } from '../sessions/start.ts';
import { findPerson } from '../users/queries-oidc.ts';
import { toUser } from '../users/record.ts';
import { acceptInvitation, acceptWithSession } from './accept.ts';
import { invite } from './invite.ts';
import { listInvitations } from './queries.ts';
import { toInvitation } from './record.ts';
import { withdrawInvitation } from './withdraw.ts';

export function addInvitationRoutes(app: FastifyInstance, deps: IdentityDeps): void {
  addSignInRoute(app, deps, contracts.acceptInvitation, async ({ body, request }) => {
    const from = fromOf(deps, request);
    const { session } = request;
    if (!session) return toSignedIn(await acceptInvitation(deps, body, from));
    await acceptWithSession(deps, { ...body, session }, from);
    const person = await findPerson(deps.db, session.userId);
    if (!person) throw notFound('session');
    const text = answerText(contracts.acceptInvitation, {
      data: { user: toUser(person), session: toSession(session) },
    });
    return new RawAnswer(200, text, jsonHeaders);
  });

  addOwnWriteRoute(app, deps, contracts.createInvitation, {
    async write(tx, { body, request }) {
      const { row, ...made } = await invite(deps, contextOf(deps, tx, request), body);
      return { data: { ...toInvitation(row), ...made } };
    },
    // A replay cannot contain the link: it is not stored.
    keep: ({ data: { url: _, ...record } }) => answerText(contracts.createInvitation, { data: record }),
  });

  addOwnRoute(app, contracts.listInvitations, async ({ caller, query }) => {
    const page = readPage(query);
    const rows = await listInvitations(deps.db, caller.accountId, deps.now(), page);
    return toPage(rows, page, toInvitation);
  });

  addOwnRoute(app, contracts.deleteInvitation, async ({ caller, params: { id }, request }) => {
    await withdrawInvitation(deps, byOf(deps, request), { accountId: caller.accountId, id });
    return { data: { id, deleted: true as const } };
  });
}
