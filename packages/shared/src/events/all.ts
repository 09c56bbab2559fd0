/** Every event type of the product, the source of the reference. */
import * as accounts from './accounts.ts';
import * as analytics from './analytics.ts';
import * as automation from './automation.ts';
import * as content from './content.ts';
import type { EventDefinition } from './envelope.ts';
import * as scheduling from './scheduling.ts';
import * as webhooks from './webhooks.ts';

const modules: readonly object[] = [content, scheduling, accounts, automation, webhooks, analytics];

export const allEvents: readonly EventDefinition[] = modules.flatMap(module =>
  Object.values(module).filter(isEvent),
);

function isEvent(value: unknown): value is EventDefinition {
  return typeof value === 'object' && value !== null && 'topic' in value && 'example' in value;
}
