import * as contracts from '@hookline/shared/contracts/webhooks';
import { addRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import type { AutomationDeps } from '../deps.ts';
import { testWebhook } from './send-test.ts';

export function addTestRoutes(app: FastifyInstance, deps: AutomationDeps): void {
  addRoute(app, contracts.testWebhook, ({ caller, params, idempotencyKey }) =>
    testWebhook(deps, caller, { id: params.id, idempotencyKey }),
  );
}
