import * as contracts from '@hookline/shared/contracts/workspace';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IdentityDeps } from '../../identity-deps.ts';
import { addOwnRoute } from '../sessions/own-route.ts';
import { fromOf, sessionOf } from '../sessions/session-of.ts';
import { toWorkspace } from '../workspaces/record.ts';
import { requestDeletion, restoreWorkspace } from './request.ts';

export function addDeletionRoutes(app: FastifyInstance, deps: IdentityDeps): void {
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
}
