import { preflightContent as preflightRoute } from '@hookline/shared/contracts/content';
import { createSchedule as createRoute } from '@hookline/shared/contracts/schedules';
import { addRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import { createSchedule } from '../actions/create-schedule.ts';
import { preflightContent } from '../actions/preflight-content.ts';
import type { SchedulingDeps } from '../deps.ts';

export function addCreateRoutes(app: FastifyInstance, deps: SchedulingDeps): void {
  addRoute(app, createRoute, input => createSchedule(deps, input));

  addRoute(app, preflightRoute, async ({ params, query, caller }) => ({
    data: await preflightContent(deps, caller, params.id, query),
  }));
}
