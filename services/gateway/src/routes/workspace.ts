import { notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/workspace';
import { addRoute } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance } from 'fastify';
import { changeRole } from '../actions/change-role.ts';
import { enterWorkspace } from '../actions/enter-workspace.ts';
import { removeMember } from '../actions/remove-member.ts';
import { updateWorkspace } from '../actions/update-workspace.ts';
import type { GatewayDeps } from '../deps.ts';
import { apiRoot } from '../public-api.ts';
import { listMembers } from '../queries/members.ts';
import { findWorkspace, listWorkspacesOfPerson } from '../queries/workspaces.ts';
import { toMember } from '../records/member.ts';
import { toWorkspace, toWorkspaceOfPerson } from '../records/workspace.ts';
import { byOf, sessionOf } from './session-of.ts';

export function addWorkspaceRoutes(app: FastifyInstance, deps: GatewayDeps): void {
  addRoute(
    app,
    contracts.getWorkspace,
    async ({ caller }) => {
      const row = await findWorkspace(deps.db, caller.accountId);
      if (!row) throw notFound('workspace');
      return { data: toWorkspace(row) };
    },
    apiRoot,
  );
  addRoute(
    app,
    contracts.updateWorkspace,
    async ({ caller, body, request }) => ({
      data: toWorkspace(await updateWorkspace(deps, byOf(deps, request), caller.accountId, body)),
    }),
    apiRoot,
  );

  addRoute(
    app,
    contracts.listMembers,
    async ({ caller, query }) => {
      const page = readPage(query);
      return toPage(await listMembers(deps.db, caller.accountId, page), page, toMember);
    },
    apiRoot,
  );
  addRoute(
    app,
    contracts.updateMember,
    async ({ caller, params, body, request }) => {
      const change = { userId: params.userId, role: body.role };
      return { data: toMember(await changeRole(deps, byOf(deps, request), caller.accountId, change)) };
    },
    apiRoot,
  );
  addRoute(
    app,
    contracts.removeMember,
    async ({ caller, params: { userId }, request }) => {
      const revokedKeyIds = await removeMember(deps, byOf(deps, request), caller.accountId, userId);
      return { data: { userId, deleted: true as const, revokedKeyIds } };
    },
    apiRoot,
  );

  addRoute(
    app,
    contracts.listOwnWorkspaces,
    async ({ caller, request }) => {
      const rows = await listWorkspacesOfPerson(deps.db, sessionOf(request).userId);
      return { data: rows.map(row => toWorkspaceOfPerson(row, caller.accountId)), nextCursor: null };
    },
    apiRoot,
  );
  addRoute(
    app,
    contracts.enterWorkspace,
    async ({ params, request }) => {
      const row = await enterWorkspace(deps, sessionOf(request), params.id);
      return { data: toWorkspaceOfPerson(row, row.accountId) };
    },
    apiRoot,
  );
}
