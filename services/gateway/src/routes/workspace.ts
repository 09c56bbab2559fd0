import { notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/workspace';
import { answerText } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { changeRole } from '../actions/change-role.ts';
import { chooseNotifications } from '../actions/choose-notifications.ts';
import { enterWorkspace } from '../actions/enter-workspace.ts';
import { invite } from '../actions/invite.ts';
import { removeMember } from '../actions/remove-member.ts';
import { requestDeletion, restoreWorkspace } from '../actions/request-deletion.ts';
import { updateWorkspace } from '../actions/update-workspace.ts';
import { withdrawInvitation } from '../actions/withdraw-invitation.ts';
import type { GatewayDeps } from '../deps.ts';
import { listAudit, listNewestAudit } from '../queries/audit-events.ts';
import { listInvitations } from '../queries/invitations.ts';
import { listMembers } from '../queries/members.ts';
import { findNotifications } from '../queries/notifications.ts';
import { findWorkspace, listWorkspacesOfPerson } from '../queries/workspaces.ts';
import { toAuditEvent } from '../records/audit-event.ts';
import { toInvitation } from '../records/invitation.ts';
import { toMember } from '../records/member.ts';
import { toNotifications } from '../records/notifications.ts';
import { toWorkspace, toWorkspaceOfPerson } from '../records/workspace.ts';
import { auditCursor } from '../rules/audit-cursor.ts';
import { addOwnRoute, addOwnWriteRoute } from './own-route.ts';
import { byOf, fromOf, sessionOf } from './session-of.ts';

const auditPage = 100;

export function addWorkspaceRoutes(app: FastifyInstance, deps: GatewayDeps): void {
  addOwnRoute(app, contracts.getWorkspace, async ({ caller }) => {
    const row = await findWorkspace(deps.db, caller.accountId);
    if (!row) throw notFound('workspace');
    return { data: toWorkspace(row) };
  });
  addOwnRoute(app, contracts.updateWorkspace, async ({ caller, body, request }) => ({
    data: toWorkspace(await updateWorkspace(deps, byOf(deps, request), caller.accountId, body)),
  }));

  const asked = (request: FastifyRequest, { password }: { password?: string | undefined }) => ({
    session: sessionOf(request),
    password,
    from: fromOf(deps, request),
  });
  addOwnRoute(app, contracts.deleteWorkspace, async ({ body, request }) => ({
    data: toWorkspace(await requestDeletion(deps, asked(request, body))),
  }));
  addOwnRoute(app, contracts.restoreWorkspace, async ({ body, request }) => ({
    data: toWorkspace(await restoreWorkspace(deps, asked(request, body))),
  }));

  addOwnRoute(app, contracts.listMembers, async ({ caller, query }) => {
    const page = readPage(query);
    return toPage(await listMembers(deps.db, caller.accountId, page), page, toMember);
  });
  addOwnRoute(app, contracts.updateMember, async ({ caller, params, body, request }) => {
    const change = { userId: params.userId, role: body.role };
    return { data: toMember(await changeRole(deps, byOf(deps, request), caller.accountId, change)) };
  });
  addOwnRoute(app, contracts.removeMember, async ({ caller, params: { userId }, request }) => {
    const revokedKeyIds = await removeMember(deps, byOf(deps, request), caller.accountId, userId);
    return { data: { userId, deleted: true as const, revokedKeyIds } };
  });

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

  addOwnRoute(app, contracts.listAudit, async ({ caller, query }) => {
    const start = auditCursor.start(query);
    const limit = query.limit ?? auditPage;
    if ('before' in start) {
      const found = await listNewestAudit(deps.db, caller.accountId, start.before, limit + 1);
      const { rows, ...cursors } = auditCursor.newestPage(found, limit, start.before);
      return { data: rows.map(toAuditEvent), ...cursors };
    }
    const rows = await listAudit(deps.db, caller.accountId, start.after, limit);
    const position = rows.at(-1)?.position ?? start.after;
    return { data: rows.map(toAuditEvent), nextCursor: auditCursor.encode(position) };
  });

  addOwnRoute(app, contracts.listOwnWorkspaces, async ({ caller, request }) => {
    const rows = await listWorkspacesOfPerson(deps.db, sessionOf(request).userId);
    return { data: rows.map(row => toWorkspaceOfPerson(row, caller.accountId)), nextCursor: null };
  });
  addOwnRoute(app, contracts.enterWorkspace, async ({ params, request }) => {
    const row = await enterWorkspace(deps, sessionOf(request), params.id);
    return { data: toWorkspaceOfPerson(row, row.accountId) };
  });
}
