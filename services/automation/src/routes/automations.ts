import {
  createAutomation as createAutomationRoute,
  deleteAutomation as deleteAutomationRoute,
  getAutomation as getAutomationRoute,
  listAutomations as listAutomationsRoute,
  listFirings as listFiringsRoute,
  previewAutomation as previewAutomationRoute,
  runAutomation as runAutomationRoute,
  updateAutomation as updateAutomationRoute,
} from '@hookline/shared/contracts/automations';
import { addRoute, addWriteRoute } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance } from 'fastify';
import { planAutomation, requireTimezone } from '../actions/create-automation.ts';
import { runAutomation } from '../actions/run-automation.ts';
import { updateAutomation } from '../actions/update-automation.ts';
import { noteFirings } from '../automation-metrics.ts';
import type { AutomationDeps } from '../deps.ts';
import {
  deleteAutomation,
  getAutomation,
  insertAutomation,
  listAutomations,
  toAutomation,
} from '../queries/automations.ts';
import { listFirings, toFiring } from '../queries/firings.ts';
import { localTime, nextSlots } from '../rules/next-slot.ts';

const previewDefault = 10;

export function addAutomationRoutes(app: FastifyInstance, deps: AutomationDeps): void {
  const { db, now } = deps;
  addWriteRoute(app, deps, createAutomationRoute, {
    prepare: ({ caller, body }) => planAutomation(deps, caller, body),
    async write(tx, _input, row) {
      await insertAutomation(tx, row);
      return { data: toAutomation(row) };
    },
  });
  addRoute(app, listAutomationsRoute, async ({ caller, query }) => {
    const page = readPage(query);
    const rows = await listAutomations(db, caller.accountId, query, page);
    return toPage(rows, page, row => row, toAutomation);
  });
  addRoute(app, getAutomationRoute, async ({ caller, params }) => ({
    data: toAutomation(await getAutomation(db, caller.accountId, params.id)),
  }));
  addRoute(app, updateAutomationRoute, async ({ caller, params, body }) => ({
    data: toAutomation(await updateAutomation(deps, caller, params.id, body)),
  }));
  addRoute(app, deleteAutomationRoute, async ({ caller, params }) => {
    await deleteAutomation(db, caller.accountId, params.id, now());
    return { data: { id: params.id, deleted: true as const } };
  });
  addRoute(app, previewAutomationRoute, async ({ caller, params, query }) => {
    const automation = await getAutomation(db, caller.accountId, params.id);
    requireTimezone(automation.timezone);
    const slots = nextSlots(automation, now(), query.count ?? previewDefault);
    return {
      data: slots.map(slot => ({ fireAt: slot.toISOString(), local: localTime(slot, automation.timezone) })),
    };
  });
  addWriteRoute(app, deps, runAutomationRoute, {
    write: async (tx, { caller, params }) => ({
      data: toFiring(await runAutomation(deps, tx, caller, params.id)),
    }),
    written: ({ data }) => noteFirings([data]),
  });
  addRoute(app, listFiringsRoute, async ({ caller, params, query }) => {
    const automation = await getAutomation(db, caller.accountId, params.id);
    const page = readPage(query);
    const rows = await listFirings(db, automation.id, query, page);
    return toPage(rows, page, row => row, toFiring);
  });
}
