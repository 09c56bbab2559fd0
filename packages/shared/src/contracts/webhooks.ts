import { z } from 'zod';
import { IdParams } from './apps.ts';
import { Deleted, list, single } from './envelope.ts';
import { arrayOf, body, idText, integer, oneOf, pageQuery, recordFields, text, timestamp } from './fields.ts';
import { defineRoute } from './route.ts';

/** The six public events, named as in API-6. */
export const publicEventTypes = [
  'job.completed',
  'content.approved',
  'content.rejected',
  'schedule.sent_to_drafts',
  'schedule.published',
  'schedule.failed',
] as const;
export type PublicEventType = (typeof publicEventTypes)[number];

export const webhookStatuses = ['enabled', 'disabled'] as const;

export const Webhook = z
  .object({
    ...recordFields,
    url: z.string(),
    events: z.array(z.enum(publicEventTypes)),
    status: z.enum(webhookStatuses),
    disabledReason: z.string().nullable(),
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof Webhook>;

export const WebhookWithSecret = Webhook.extend({
  secret: z.string().optional().meta({
    description: '`whsec_` and base64. A repeat has it for 10 minutes, then the record without it.',
  }),
}).meta({ id: 'WebhookWithSecret' });

const eventsInput = arrayOf(oneOf(publicEventTypes), 1, publicEventTypes.length, 'event names')
  .refine(events => new Set(events).size === events.length, { error: 'must not name an event twice' })
  .meta({ uniqueItems: true });
const urlInput = text(1, 2048).meta({ example: 'https://example.com/hooks/hookline' });

export const CreateWebhookBody = body({ url: urlInput, events: eventsInput }).meta({ id: 'CreateWebhook' });
export type CreateWebhookBody = z.infer<typeof CreateWebhookBody>;

export const UpdateWebhookBody = body({
  url: urlInput.optional(),
  events: eventsInput.optional(),
  status: oneOf(webhookStatuses).optional(),
})
  .refine(value => Object.keys(value).length > 0, { error: 'must have at least one of url, events, status' })
  .meta({ id: 'UpdateWebhook', minProperties: 1 });

export const DeliveryAttempt = z.object({
  at: timestamp(),
  responseStatus: z.int().nullable(),
  durationMs: z.int(),
  error: z.string().nullable(),
});
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;

export const Delivery = z
  .object({
    ...recordFields,
    webhookId: z.string(),
    eventId: z.string(),
    eventType: z.string(),
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.array(DeliveryAttempt),
    nextAttemptAt: timestamp().nullable(),
  })
  .meta({ id: 'Delivery' });
export type Delivery = z.infer<typeof Delivery>;

export const FeedEvent = z
  .object({
    id: z.string(),
    type: z.string(),
    timestamp: timestamp(),
    createdAt: timestamp(),
    sequence: z.int(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Event' });
export type FeedEvent = z.infer<typeof FeedEvent>;

const key = { service: 'automation', auth: 'key', scopes: ['webhooks:write'] } as const;

export const createWebhook = defineRoute({
  ...key,
  id: 'createWebhook',
  method: 'POST',
  path: '/webhooks',
  summary: 'Register an endpoint; the secret is shown once',
  body: CreateWebhookBody,
  status: 201,
  response: single(WebhookWithSecret),
  errors: [],
  idempotency: 'honoured',
});

export const listWebhooks = defineRoute({
  ...key,
  id: 'listWebhooks',
  method: 'GET',
  path: '/webhooks',
  summary: 'List webhook endpoints, newest first',
  query: body({ ...pageQuery, status: oneOf(webhookStatuses).optional() }),
  status: 200,
  response: list(Webhook),
  errors: [],
});

export const updateWebhook = defineRoute({
  ...key,
  id: 'updateWebhook',
  method: 'PATCH',
  path: '/webhooks/{id}',
  summary: 'Change an endpoint, or enable and disable it',
  params: IdParams,
  body: UpdateWebhookBody,
  status: 200,
  response: single(Webhook),
  errors: ['not_found'],
});

export const deleteWebhook = defineRoute({
  ...key,
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/webhooks/{id}',
  summary: 'Remove an endpoint',
  params: IdParams,
  status: 200,
  response: single(Deleted),
  errors: ['not_found'],
});

export const testWebhook = defineRoute({
  ...key,
  id: 'testWebhook',
  method: 'POST',
  path: '/webhooks/{id}/test',
  summary: 'Send a marked test event and answer its attempt',
  params: IdParams,
  status: 200,
  response: single(DeliveryAttempt),
  errors: ['not_found'],
  idempotency: 'honoured',
});

export const rotateWebhook = defineRoute({
  ...key,
  id: 'rotateWebhook',
  method: 'POST',
  path: '/webhooks/{id}/rotate',
  summary: 'Make a new secret; both sign until the overlap ends',
  params: IdParams,
  body: body({ overlapHours: integer(0, 168).optional() }).meta({ id: 'RotateWebhook' }),
  bodyOptional: true,
  status: 200,
  response: single(WebhookWithSecret),
  errors: ['not_found'],
  idempotency: 'honoured',
});

export const listDeliveries = defineRoute({
  ...key,
  id: 'listDeliveries',
  method: 'GET',
  path: '/webhooks/{id}/deliveries',
  summary: 'List the deliveries of an endpoint, newest first',
  params: IdParams,
  query: body({ ...pageQuery, status: oneOf(['pending', 'delivered', 'failed']).optional() }),
  status: 200,
  response: list(Delivery),
  errors: ['not_found'],
});

export const replayDelivery = defineRoute({
  ...key,
  id: 'replayDelivery',
  method: 'POST',
  path: '/webhooks/{id}/deliveries/{deliveryId}/replay',
  summary: 'Send a delivery again',
  params: z.object({ id: idText(), deliveryId: idText() }),
  status: 200,
  response: single(Delivery),
  errors: ['not_found'],
  idempotency: 'honoured',
});

export const listEvents = defineRoute({
  ...key,
  id: 'listEvents',
  method: 'GET',
  path: '/events',
  summary: 'Read the event feed, oldest first',
  query: body({ after: text(1, 200).optional(), limit: pageQuery.limit }),
  status: 200,
  response: z.object({ data: z.array(FeedEvent), nextCursor: z.string() }),
  errors: [],
});
