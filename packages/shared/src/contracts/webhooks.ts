import { z } from 'zod';
import {
  answerInteger,
  answerList,
  answerText,
  count,
  createdBy,
  idField,
  record,
  recordFields,
  textField,
  timestamp,
  urlField,
} from './answer-fields.ts';
import { exampleDecision } from './content.ts';
import { Deleted, list, single } from './envelope.ts';
import {
  deletedExample,
  exampleIds,
  exampleMaker,
  exampleTime,
  laterTime,
  listExample,
  newRecord,
} from './examples.ts';
import {
  arrayOf,
  body,
  idParams,
  integer,
  oneOf,
  pageQuery,
  pathId,
  statusFilter,
  text,
  timestampInput,
} from './fields.ts';
import { logQuery, previousCursor } from './position-cursor.ts';
import { automationRoute } from './route.ts';

/** The public events, the first six named as in API-6. */
export const publicEventTypes = [
  'job.completed',
  'content.approved',
  'content.rejected',
  'schedule.sent_to_drafts',
  'schedule.published',
  'schedule.failed',
  'automation.skipped',
  'schedule.due',
  'content.changes_requested',
  'account.connected',
  'account.needs_reauth',
  'credits.low',
] as const;
export type PublicEventType = (typeof publicEventTypes)[number];

export const webhookStatuses = ['enabled', 'disabled'] as const;

export const Webhook = record('Webhook', {
  ...recordFields,
  url: urlField,
  events: answerList(z.enum(publicEventTypes), publicEventTypes.length),
  status: z.enum(webhookStatuses),
  disabledReason: textField.nullable(),
  createdBy,
});
export type Webhook = z.infer<typeof Webhook>;

export const WebhookWithSecret = Webhook.extend({
  secret: answerText(128, '^whsec_[0-9A-Za-z+/=]+$').optional().meta({
    description: '`whsec_` and base64. A retry returns it for 10 minutes, then the record without it.',
  }),
}).meta({ id: 'WebhookWithSecret' });

const eventsInput = arrayOf(oneOf(publicEventTypes), 1, publicEventTypes.length, 'event names')
  .refine(events => new Set(events).size === events.length, { error: 'must not name an event twice' })
  .meta({ uniqueItems: true });
const urlInput = text(1, 2048).meta({ examples: ['https://example.com/hooks/hookline'] });

export const CreateWebhookBody = body({ url: urlInput, events: eventsInput }).meta({ id: 'CreateWebhook' });
export type CreateWebhookBody = z.infer<typeof CreateWebhookBody>;

export const UpdateWebhookBody = body({
  url: urlInput.optional(),
  events: eventsInput.optional(),
  status: oneOf(webhookStatuses).optional(),
})
  .refine(value => Object.keys(value).length > 0, { error: 'must have at least one of url, events, status' })
  .meta({ id: 'UpdateWebhook', minProperties: 1 });

export const DeliveryAttempt = record('DeliveryAttempt', {
  at: timestamp,
  responseStatus: answerInteger(100, 999).nullable(),
  durationMs: count,
  error: textField.nullable(),
});
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;

const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

export const Delivery = record('Delivery', {
  ...recordFields,
  webhookId: idField,
  eventId: idField,
  eventType: textField,
  status: z.enum(deliveryStatuses),
  attempts: answerList(DeliveryAttempt, 1000),
  nextAttemptAt: timestamp.nullable(),
  request: answerText(1_000_000).nullable().meta({
    description:
      'The body that is sent, as it was at the last attempt; null when the event is no longer kept.',
  }),
  response: answerText(1_024).nullable().meta({
    description:
      'The first 1,024 bytes of the answer to the last attempt; null when there was none, and for a key without `content:read` or `schedules:read` at an endpoint that gets contents or schedules.',
  }),
});
export type Delivery = z.infer<typeof Delivery>;

export const FeedEvent = record('Event', {
  id: idField,
  type: textField,
  timestamp: timestamp,
  createdAt: timestamp,
  sequence: count,
  data: z.record(textField, z.unknown()),
});
export type FeedEvent = z.infer<typeof FeedEvent>;

const scopes = ['webhooks:write'] as const;

const exampleWebhook: Webhook = {
  id: exampleIds.webhook,
  ...newRecord,
  url: 'https://example.com/hooks/hookline',
  events: ['schedule.published', 'schedule.failed'],
  status: 'enabled',
  disabledReason: null,
  createdBy: exampleMaker,
};
const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const exampleAttempt: DeliveryAttempt = {
  at: exampleTime,
  responseStatus: 200,
  durationMs: 41,
  error: null,
};
const exampleDelivery: Delivery = {
  id: exampleIds.delivery,
  ...newRecord,
  webhookId: exampleIds.webhook,
  eventId: exampleIds.event,
  eventType: 'schedule.published',
  status: 'delivered',
  attempts: [exampleAttempt],
  nextAttemptAt: null,
  request: `{"id":"${exampleIds.event}","type":"schedule.published","sequence":3}`,
  response: 'ok',
};

export const createWebhook = automationRoute('POST /webhooks', {
  scopes,
  summary: 'Register an endpoint; the secret is shown once',
  description:
    'Deliveries carry `X-Service-Signature` (hex HMAC-SHA256 of the body) and the headers of Standard Webhooks. The URL must use https and resolve to a public address. Without the scope `content:read` on the calling key, events give a content as its `id` alone; without `schedules:read`, a schedule as its `id`, `contentId` and `status`. A retry with the same `Idempotency-Key` returns the secret for 10 minutes, then the record without it.',
  body: CreateWebhookBody,
  status: 201,
  response: single(WebhookWithSecret),
  // The name servers of the caller's host.
  waitsOutside: 'always',
  example: {
    body: { url: exampleWebhook.url, events: exampleWebhook.events },
    response: { data: { ...exampleWebhook, secret: exampleSecret } },
  },
});

export const listWebhooks = automationRoute('GET /webhooks', {
  scopes,
  summary: 'List webhook endpoints, newest first',
  description: 'The secrets are not included.',
  query: body({ ...pageQuery, status: statusFilter(webhookStatuses) }),
  response: list(Webhook),
  example: { response: listExample(exampleWebhook) },
});

export const getWebhook = automationRoute('GET /webhooks/{id}', {
  scopes,
  summary: 'Get one endpoint',
  description: 'The secret is not included.',
  params: idParams('webhook', exampleIds.webhook),
  response: single(Webhook),
  example: { response: { data: exampleWebhook } },
});

export const updateWebhook = automationRoute('PATCH /webhooks/{id}', {
  scopes,
  summary: 'Update, enable or disable an endpoint',
  description:
    'Disabling ends its pending deliveries as `failed`. A new `url` receives only what the calling key may read.',
  params: idParams('webhook', exampleIds.webhook),
  body: UpdateWebhookBody,
  response: single(Webhook),
  waitsOutside: 'withUrl',
  example: {
    body: { status: 'disabled' },
    response: {
      data: {
        ...exampleWebhook,
        updatedAt: laterTime,
        status: 'disabled',
        disabledReason: 'disabled by its owner',
      },
    },
  },
});

export const deleteWebhook = automationRoute('DELETE /webhooks/{id}', {
  scopes,
  summary: 'Delete an endpoint',
  description: 'Nothing more is delivered to it.',
  params: idParams('webhook', exampleIds.webhook),
  response: single(Deleted),
  example: { response: deletedExample(exampleIds.webhook) },
});

export const testWebhook = automationRoute('POST /webhooks/{id}/test', {
  scopes,
  summary: 'Send a test event and return the delivery attempt',
  description: 'Waits for the receiver and returns its response.',
  params: idParams('webhook', exampleIds.webhook),
  response: single(DeliveryAttempt),
  waitsOutside: 'always',
  example: { response: { data: exampleAttempt } },
});

export const rotateWebhook = automationRoute('POST /webhooks/{id}/rotate', {
  scopes,
  summary: 'Rotate the secret; both sign until the overlap ends',
  description:
    'Both secrets sign for `overlapHours` (default 24), then only the new one. A retry with the same `Idempotency-Key` returns the secret for 10 minutes, then the record without it.',
  params: idParams('webhook', exampleIds.webhook),
  body: body({ overlapHours: integer(0, 168).optional() }).meta({ id: 'RotateWebhook' }),
  bodyOptional: true,
  response: single(WebhookWithSecret),
  example: {
    body: { overlapHours: 24 },
    response: { data: { ...exampleWebhook, updatedAt: laterTime, secret: exampleSecret } },
  },
});

export const listDeliveries = automationRoute('GET /webhooks/{id}/deliveries', {
  scopes,
  summary: 'List the deliveries of an endpoint, newest first',
  description:
    'Each with its attempts, what is sent, what the endpoint answered last and, while `pending`, the time of the next attempt. For a key without `content:read`, `request` gives a content as its `id` alone; without `schedules:read`, a schedule as its `id`, `contentId` and `status`.',
  params: idParams('webhook', exampleIds.webhook),
  query: body({ ...pageQuery, status: statusFilter(deliveryStatuses) }),
  response: list(Delivery),
  example: { response: listExample(exampleDelivery) },
});

export const replayDelivery = automationRoute('POST /webhooks/{id}/deliveries/{deliveryId}/replay', {
  scopes,
  summary: 'Send a delivery again',
  description: 'Queued immediately, with the original event id.',
  params: z.object({
    id: pathId('webhook', exampleIds.webhook),
    deliveryId: pathId('delivery', exampleIds.delivery),
  }),
  response: single(Delivery),
  example: { response: { data: { ...exampleDelivery, status: 'pending', nextAttemptAt: laterTime } } },
});

/** Deliveries that one replay sends again. */
export const replaysMax = 10_000;

export const ReplayBody = body({
  since: timestampInput().meta({ examples: ['2026-11-21T00:00:00Z'] }),
  status: oneOf(['failed', 'delivered', 'all'])
    .optional()
    .meta({ description: 'Which to send again. Default: `failed`.' }),
}).meta({ id: 'ReplayWebhook' });

export const replayWebhook = automationRoute('POST /webhooks/{id}/replay', {
  scopes,
  summary: 'Send all deliveries since a time again',
  description:
    'Queues every delivery of the endpoint that was made at `since` or later and failed, with the original event ids. `status: "all"` adds those that the endpoint accepted. More than 10,000 are 400 `invalid_request`. The endpoint must be enabled.',
  params: idParams('webhook', exampleIds.webhook),
  body: ReplayBody,
  status: 202,
  response: single(z.object({ replayed: answerInteger(0, replaysMax) })),
  example: {
    body: { since: '2026-11-21T00:00:00Z', status: 'failed' },
    response: { data: { replayed: 12 } },
  },
});

export const listEvents = automationRoute('GET /events', {
  scopes,
  summary: 'Read the event feed, in the order of arrival or newest first',
  description:
    'Pass the last `nextCursor` as `after` to continue. A decision may come before the `job.completed` of its content. It is a string even when there is nothing more yet. Without the scope `content:read`, a content is given as its `id` alone; without `schedules:read`, a schedule as its `id`, `contentId` and `status`.',
  query: body({ ...logQuery, limit: pageQuery.limit }),
  response: z.object({ data: answerList(FeedEvent, 100), nextCursor: answerText(200), previousCursor }),
  example: {
    response: {
      data: [
        {
          id: exampleIds.event,
          type: 'content.approved',
          timestamp: exampleTime,
          createdAt: exampleTime,
          sequence: 2,
          data: exampleDecision('approved'),
        },
      ],
      nextCursor: 'MTc5NTE2MTYwMDAwMCBldmVudA',
    },
  },
});
