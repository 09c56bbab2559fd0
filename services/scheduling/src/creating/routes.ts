import { preflightContent as preflightRoute } from '@hookline/shared/contracts/content';
import {
  createSchedule as createRoute,
  updateSchedule as updateRoute,
} from '@hookline/shared/contracts/schedules';
import { addRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import type { SchedulingDeps } from '../deps.ts';
import { toScheduleWithPicture } from '../schedules/record.ts';
import { changeSchedule } from './change.ts';
import { createSchedule } from './create.ts';
import { preflightContent } from './preflight.ts';

export function addCreateRoutes(app: FastifyInstance, deps: SchedulingDeps): void {
  addRoute(app, createRoute, input => createSchedule(deps, input));

  addRoute(app, updateRoute, async ({ params: { id }, body, caller, requestId }) => ({
    data: toScheduleWithPicture(await changeSchedule(deps, { caller, id, requestId }, body), deps),
  }));

  addRoute(app, preflightRoute, async ({ params, query, caller }) => ({
    data: await preflightContent(deps, caller, { ...query, id: params.id }),
  }));
}
