import { notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/workspace';
import type { FastifyInstance } from 'fastify';
import type { IdentityDeps } from '../../identity-deps.ts';
import { addOwnRoute } from '../sessions/own-route.ts';
import { sessionOf } from '../sessions/session-of.ts';
import { findNotifications } from './queries.ts';
import { toNotifications } from './record.ts';
import { chooseNotifications } from './remind.ts';

export function addNotificationRoutes(app: FastifyInstance, deps: IdentityDeps): void {
  addOwnRoute(app, contracts.getNotifications, async ({ caller, request }) => {
    const row = await findNotifications(deps.db, caller.accountId, sessionOf(request).userId);
    if (!row) throw notFound('member');
    return { data: toNotifications(row, deps.mailer !== null) };
  });

  addOwnRoute(app, contracts.updateNotifications, async ({ caller, body, request }) => {
    const member = { accountId: caller.accountId, userId: sessionOf(request).userId };
    const row = await chooseNotifications(deps, member, body.decksWaiting);
    if (!row) throw notFound('member');
    return { data: toNotifications(row, deps.mailer !== null) };
  });
}
