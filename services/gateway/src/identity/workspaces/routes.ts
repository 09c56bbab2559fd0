import { createPositionCursor, notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/workspace';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance } from 'fastify';
import type { IdentityDeps } from '../../identity-deps.ts';
import { listAudit, listNewestAudit } from '../audit/queries.ts';
import { toAuditEvent } from '../audit/record.ts';
import { addOwnRoute } from '../sessions/own-route.ts';
import { byOf, sessionOf } from '../sessions/session-of.ts';
import { changeRole } from './change-role.ts';
import { enterWorkspace } from './enter.ts';
import { findWorkspace, listWorkspacesOfPerson } from './queries.ts';
import { listMembers } from './queries-members.ts';
import { toMember, toWorkspace, toWorkspaceOfPerson } from './record.ts';
import { removeMember } from './remove-member.ts';
import { updateWorkspace } from './update.ts';

const auditCursor = createPositionCursor('audit', 'list');
const auditPage = 100;

export function addWorkspaceRoutes(app: FastifyInstance, deps: IdentityDeps): void {
  addOwnRoute(app, contracts.getWorkspace, async ({ caller }) => {
    const row = await findWorkspace(deps.db, caller.accountId);
    if (!row) throw notFound('workspace');
    return { data: toWorkspace(row) };
  });
  addOwnRoute(app, contracts.updateWorkspace, async ({ caller, body, request }) => ({
    data: toWorkspace(
      await updateWorkspace(deps, byOf(deps, request), { ...body, accountId: caller.accountId }),
    ),
  }));

  addOwnRoute(app, contracts.listMembers, async ({ caller, query }) => {
    const page = readPage(query);
    return toPage(await listMembers(deps.db, caller.accountId, page), page, toMember);
  });
  addOwnRoute(app, contracts.updateMember, async ({ caller, params, body, request }) => {
    const change = { accountId: caller.accountId, userId: params.userId, role: body.role };
    return { data: toMember(await changeRole(deps, byOf(deps, request), change)) };
  });
  addOwnRoute(app, contracts.removeMember, async ({ caller, params: { userId }, request }) => {
    const revokedKeyIds = await removeMember(deps, byOf(deps, request), {
      accountId: caller.accountId,
      userId,
    });
    return { data: { userId, deleted: true as const, revokedKeyIds } };
  });

  addOwnRoute(app, contracts.listAudit, async ({ caller, query }) => {
    const start = auditCursor.start(query);
    const limit = query.limit ?? auditPage;
    const { action, actorId } = query;
    if ('before' in start) {
      const asked = { action, actorId, before: start.before, limit: limit + 1 };
      const found = await listNewestAudit(deps.db, caller.accountId, asked);
      const { rows, ...cursors } = auditCursor.newestPage(found, limit, start.before);
      return { data: rows.map(toAuditEvent), ...cursors };
    }
    const rows = await listAudit(deps.db, caller.accountId, { action, actorId, after: start.after, limit });
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
