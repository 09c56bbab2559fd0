import { preflightContent as preflightRoute } from '@hookline/shared/contracts/content';
import { createSchedule as createRoute } from '@hookline/shared/contracts/schedules';
import { addRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import type { SchedulingDeps } from '../deps.ts';
import { createSchedule } from './create.ts';
import { preflightContent } from './preflight.ts';

export function addCreateRoutes(app: FastifyInstance, deps: SchedulingDeps): void {
  addRoute(app, createRoute, input => createSchedule(deps, input));

  addRoute(app, preflightRoute, async ({ params, query, caller }) => ({
    data: await preflightContent(deps, caller, { ...query, id: params.id }),
  }));
}
