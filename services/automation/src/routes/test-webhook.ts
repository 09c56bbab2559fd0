import * as contracts from '@hookline/shared/contracts/webhooks';
import { addRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import { testWebhook } from '../actions/test-webhook.ts';
import type { AutomationDeps } from '../deps.ts';

export function addTestRoutes(app: FastifyInstance, deps: AutomationDeps): void {
  addRoute(app, contracts.testWebhook, ({ caller, params, idempotencyKey }) =>
    testWebhook(deps, caller, params.id, idempotencyKey),
  );
}
