import { ApiError } from '@hookline/shared/contracts';
import * as internal from '@hookline/shared/contracts/internal';
import { addInternalRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import type { SchedulingDeps } from '../deps.ts';
import { setWorkspacePause } from './pause.ts';

export function addPauseRoutes(app: FastifyInstance, deps: SchedulingDeps): void {
  addInternalRoute(app, internal.setSendingPaused, async ({ body: { isPaused }, call: { caller } }) => {
    if (!caller) throw new ApiError('unauthorized');
    await setWorkspacePause(deps, caller.accountId, isPaused);
    return {};
  });
}
