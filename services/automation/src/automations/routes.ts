import { ApiError, notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/automations';
import * as internal from '@hookline/shared/contracts/internal';
import { isTimezone } from '@hookline/shared/contracts/timezone';
import { addInternalRoute, addRoute, addWriteRoute, type Caller } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import { localTime } from '@hookline/shared/kernel/posting-times';
import type { FastifyInstance } from 'fastify';
import type { AutomationDeps } from '../deps.ts';
import { nextFirings } from '../slots/next-firings.rules.ts';
import { slotsWithin } from '../slots/plan-end.rules.ts';
import { confirmAutomation } from './confirm.ts';
import { createAutomation, planAutomation } from './create.ts';
import { requireTimezone } from './plan-fields.rules.ts';
import { findAutomation, listArmedAutomations, listAutomations, setAwaitsConfirmation } from './queries.ts';
import { type AutomationRow, toAutomation } from './record.ts';
import { deleteAutomation, updateAutomation } from './update.ts';

const previewDefault = 10;
const nextFiringsDefault = 20;

function toNextFiring({ id, appId, tiktokAccountId, timezone }: AutomationRow, at: Date) {
  const local = localTime(at, timezone);
  return { automationId: id, appId, tiktokAccountId, fireAt: at.toISOString(), local };
}

export function addAutomationRoutes(app: FastifyInstance, deps: AutomationDeps): void {
  const { db, now } = deps;

  async function getAutomation(caller: Caller, id: string): Promise<AutomationRow> {
    const automation = await findAutomation(db, caller.accountId, id);
    if (!automation) throw notFound('automation');
    return automation;
  }

  addWriteRoute(app, deps, contracts.createAutomation, {
    prepare: ({ caller, body }) => planAutomation(deps, caller, body),
    write: async (tx, { caller }, planned) => ({
      data: toAutomation(await createAutomation(tx, caller, planned)),
    }),
  });

  addRoute(app, contracts.listAutomations, async ({ caller, query }) => {
    const page = readPage(query);
    const rows = await listAutomations(db, caller.accountId, { ...query, page });
    return toPage(rows, page, toAutomation);
  });

  addRoute(app, contracts.listNextFirings, async ({ caller, query }) => {
    const limit = query.limit ?? nextFiringsDefault;
    const armed = await listArmedAutomations(db, caller.accountId, limit);
    // A zone that this runtime does not know is set aside when its slot is due.
    const fireable = armed.filter(({ timezone }) => isTimezone(timezone));
    return { data: nextFirings(fireable, limit).map(({ plan, at }) => toNextFiring(plan, at)) };
  });

  addRoute(app, contracts.getAutomation, async ({ caller, params }) => ({
    data: toAutomation(await getAutomation(caller, params.id)),
  }));

  addRoute(app, contracts.updateAutomation, async ({ caller, params, body }) => ({
    data: toAutomation(await updateAutomation(deps, { caller, id: params.id, change: body })),
  }));

  addRoute(app, contracts.deleteAutomation, async ({ caller, params: { id } }) => {
    await deleteAutomation(deps, caller, id);
    return { data: { id, deleted: true as const } };
  });

  addRoute(app, contracts.previewAutomation, async ({ caller, params, query }) => {
    const automation = await getAutomation(caller, params.id);
    requireTimezone(automation.timezone);
    const slots = slotsWithin(automation, now(), query.count ?? previewDefault);
    return {
      data: slots.map(slot => ({ fireAt: slot.toISOString(), local: localTime(slot, automation.timezone) })),
    };
  });

  addWriteRoute(app, deps, contracts.confirmAutomation, {
    write: async (tx, { caller, params, body }) => ({
      data: toAutomation(await confirmAutomation({ tx, caller, now: now() }, params.id, body.updatedAt)),
    }),
  });

  addInternalRoute(app, internal.askForConfirmations, async ({ body, call: { caller } }) => {
    if (!caller) throw new ApiError('unauthorized');
    await setAwaitsConfirmation(db, caller.accountId, body);
    return {};
  });
}
