import * as contracts from '@hookline/shared/contracts/schedules';
import { addWriteRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import { toAccount } from '../accounts/record.ts';
import { requireApp } from '../connecting/begin.ts';
import type { SchedulingDeps } from '../deps.ts';
import { toSchedule } from '../schedules/record.ts';
import { addPhone } from './add.ts';
import { askToPost, markPosted } from './posted.ts';

export function addPhoneRoutes(app: FastifyInstance, deps: SchedulingDeps): void {
  addWriteRoute(app, deps, contracts.addPhone, {
    prepare: ({ body, caller }) => requireApp(deps, caller, body.appId ?? null),
    write: async (tx, { body, caller }) => ({
      data: toAccount(await addPhone({ tx, now: deps.now() }, caller, body)),
    }),
  });

  addWriteRoute(app, deps, contracts.markPosted, {
    prepare: ({ params, body, caller }) => askToPost(deps, { caller, id: params.id, version: body.version }),
    write: async (tx, { params, body, caller }, out) => ({
      data: toSchedule(await markPosted(deps, tx, { caller, id: params.id, out, url: body.url ?? null })),
    }),
  });
}
