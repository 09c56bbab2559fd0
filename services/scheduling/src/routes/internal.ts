import { ApiError } from '@hookline/shared/contracts';
import { schedulesOfKeyMax } from '@hookline/shared/contracts/auth';
import * as contracts from '@hookline/shared/contracts/internal';
import { addInternalRoute } from '@hookline/shared/http';
import { addStandingRoute } from '@hookline/shared/leaving';
import type { FastifyInstance } from 'fastify';
import { deleteWorkspace } from '../actions/delete-workspace.ts';
import { withdrawSchedulesOfKey } from '../actions/withdraw-schedules-of-key.ts';
import type { SchedulingDeps } from '../deps.ts';
import { findPlatformAccount } from '../queries/platform-accounts.ts';
import { listAnswersToFirings } from '../queries/reconciled.ts';
import { listWaitingOfKey } from '../queries/schedules.ts';
import { toFiringAnswer } from '../records/firing-answer.ts';
import { toScheduleOfKey } from '../records/schedule.ts';

export function addInternalRoutes(app: FastifyInstance, deps: SchedulingDeps): void {
  const { db, now, log } = deps;
  addStandingRoute(app, {
    ...{ service: 'scheduling', db, now, log },
    remove: request => deleteWorkspace(deps, request),
  });

  // Automation asks when it has not heard of a firing for a long time.
  addInternalRoute(app, contracts.findSchedulesOfFirings, async ({ body: { firingIds } }) => {
    const found = new Map((await listAnswersToFirings(db, firingIds)).map(row => [row.firingId, row]));
    return { answers: firingIds.map(id => toFiringAnswer(found.get(id))) };
  });

  addInternalRoute(app, contracts.listSchedulesOfKey, async ({ body: { keyId }, call: { caller } }) => {
    if (!caller) throw new ApiError('unauthorized');
    const rows = await listWaitingOfKey(db, caller.accountId, keyId, schedulesOfKeyMax + 1);
    return {
      schedules: rows.slice(0, schedulesOfKeyMax).map(toScheduleOfKey),
      more: rows.length > schedulesOfKeyMax,
    };
  });

  addInternalRoute(app, contracts.withdrawSchedulesOfKey, async ({ body: { keyId }, call: { caller } }) => {
    if (!caller) throw new ApiError('unauthorized');
    return await withdrawSchedulesOfKey(deps, caller.accountId, keyId);
  });

  addInternalRoute(app, contracts.findPlatformAccount, async ({ params, call }) => {
    if (!call.caller) throw new ApiError('unauthorized');
    const row = await findPlatformAccount(db, call.caller.accountId, params.id ?? '');
    if (!row) return { account: null };
    const { id, appId, status, privacyLevels } = row;
    return { account: { id, appId, status, privacyLevels } };
  });
}
