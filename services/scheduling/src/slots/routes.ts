import { listFreeSlots } from '@hookline/shared/contracts/schedules';
import { addRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import type { SchedulingDeps } from '../deps.ts';
import { findFreeSlots } from './find.ts';

export function addSlotRoutes(app: FastifyInstance, deps: SchedulingDeps): void {
  addRoute(app, listFreeSlots, async ({ params, query, caller }) => {
    const account = { accountId: caller.accountId, platformAccountId: params.id };
    const slots = await findFreeSlots(deps, deps.db, account, query.count ?? 10);
    return { data: slots.map(slot => ({ scheduledFor: slot.toISOString() })) };
  });
}
