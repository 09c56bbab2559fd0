import { notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/workspace';
import type { FastifyInstance } from 'fastify';
import type { IdentityDeps } from '../../identity-deps.ts';
import { readPush } from '../push/routes.ts';
import { addOwnRoute } from '../sessions/own-route.ts';
import { sessionOf } from '../sessions/session-of.ts';
import { findNotifications } from './queries.ts';
import { toNotifications } from './record.ts';
import { chooseNotifications } from './remind.ts';

export function addNotificationRoutes(app: FastifyInstance, deps: IdentityDeps): void {
  addOwnRoute(app, contracts.getNotifications, async ({ caller: { accountId }, request }) => {
    const session = sessionOf(request);
    const row = await findNotifications(deps.db, accountId, session.userId);
    if (!row) throw notFound('member');
    return { data: toNotifications(row, deps.mailer !== null, await readPush(deps, accountId, session)) };
  });

  addOwnRoute(app, contracts.updateNotifications, async ({ caller: { accountId }, body, request }) => {
    const session = sessionOf(request);
    const row = await chooseNotifications(deps, { accountId, userId: session.userId }, body);
    if (!row) throw notFound('member');
    return { data: toNotifications(row, deps.mailer !== null, await readPush(deps, accountId, session)) };
  });
}
