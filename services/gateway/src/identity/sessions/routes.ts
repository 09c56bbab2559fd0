import { notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/auth';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance } from 'fastify';
import type { IdentityDeps } from '../../identity-deps.ts';
import { toWorkspaceId } from '../standing/workspace.rules.ts';
import { findPerson } from '../users/queries-oidc.ts';
import { toUser } from '../users/record.ts';
import { endOtherSessions, endSession } from './end.ts';
import { addOwnRoute, addSignOutRoute } from './own-route.ts';
import { deleteSession, listSessions } from './queries.ts';
import { toSession, toSessionOfPerson } from './record.ts';
import { sessionOf } from './session-of.ts';

export function addSessionRoutes(app: FastifyInstance, deps: IdentityDeps): void {
  addOwnRoute(app, contracts.listSessions, async ({ query, request }) => {
    const page = readPage(query);
    const { id, userId } = sessionOf(request);
    const rows = await listSessions(deps.db, { userId, now: deps.now() }, page);
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
    const person = await findPerson(deps.db, session.userId);
    if (!person) throw notFound('session');
    return {
      data: {
        user: toUser(person),
        session: toSession(session),
        workspaceId: toWorkspaceId(session.accountId),
      },
    };
  });
}
