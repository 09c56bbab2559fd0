/** Every public route of the product, the source of the gateway's table and the OpenAPI document. */
import * as analytics from './analytics.ts';
import * as apps from './apps.ts';
import * as auth from './auth.ts';
import * as automations from './automations.ts';
import * as brief from './brief.ts';
import * as comments from './comments.ts';
import * as content from './content.ts';
import * as batch from './content-batch.ts';
import * as timeline from './content-timeline.ts';
import * as credits from './credits.ts';
import * as experiments from './experiments.ts';
import * as passkeys from './passkeys.ts';
import * as push from './push.ts';
import * as results from './results.ts';
import * as reviewLinks from './review-links.ts';
import type { NamedRoute, RouteContract } from './route.ts';
import * as schedules from './schedules.ts';
import * as textModel from './text-model.ts';
import * as usage from './usage.ts';
import * as webhooks from './webhooks.ts';
import * as workspace from './workspace.ts';

const modules: readonly object[] = [
  auth,
  workspace,
  push,
  textModel,
  apps,
  brief,
  content,
  batch,
  timeline,
  results,
  experiments,
  reviewLinks,
  comments,
  credits,
  usage,
  schedules,
  automations,
  webhooks,
  analytics,
];

const methods: readonly RouteContract['method'][] = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'];

/** Orders a module's routes by their paths, each resource after the one that it belongs to. */
export const allRoutes: readonly NamedRoute[] = modules.flatMap(module =>
  routesIn(module).toSorted(
    (a, b) => comparePaths(a.path, b.path) || methods.indexOf(a.method) - methods.indexOf(b.method),
  ),
);

/** The routes of the console alone. */
export const passkeyRoutes: readonly NamedRoute[] = routesIn(passkeys);

/** A route is named as its module exports it. */
function routesIn(module: object): NamedRoute[] {
  return Object.entries(module).flatMap(([id, value]) => (isRoute(value) ? [{ ...value, id }] : []));
}

function isRoute(value: unknown): value is RouteContract {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value;
}

/** By code units, so that `/content/counts` is before `/content/{id}`. */
function comparePaths(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
