import { listFreeSlots, updateAccount as updateRoute } from '@hookline/shared/contracts/schedules';
import { addRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import { toAccount } from '../accounts/record.ts';
import type { SchedulingDeps } from '../deps.ts';
import { findFreeSlots } from './find.ts';
import { updateAccount } from './set.ts';

export function addSlotRoutes(app: FastifyInstance, deps: SchedulingDeps): void {
  addRoute(app, updateRoute, async ({ params, body, caller }) => ({
    data: toAccount(await updateAccount(deps, { caller, id: params.id, change: body })),
  }));

  addRoute(app, listFreeSlots, async ({ params, query, caller }) => {
    const account = { accountId: caller.accountId, platformAccountId: params.id };
    const slots = await findFreeSlots(deps, deps.db, account, query.count ?? 10);
    return { data: slots.map(slot => ({ scheduledFor: slot.toISOString() })) };
  });
}
