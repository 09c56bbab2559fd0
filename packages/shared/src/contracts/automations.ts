import { z } from 'zod';
import { IdParams } from './apps.ts';
import { Brief } from './content.ts';
import { Deleted, list, single } from './envelope.ts';
import {
  arrayOf,
  body,
  idText,
  oneOf,
  pageQuery,
  queryInteger,
  recordFields,
  text,
  timestamp,
} from './fields.ts';
import { defineRoute } from './route.ts';
import { privacyLevels } from './schedules.ts';

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

const timeError = 'must be a 24-hour time HH:MM, such as 09:30';

export const PostingTime = body({
  time: z.string({ error: timeError }).regex(/^([01]\d|2[0-3]):[0-5]\d$/, timeError),
  days: arrayOf(oneOf(weekdays), 1, 7, 'day names')
    .refine(days => new Set(days).size === days.length, {
      error: 'must not name a day twice',
    })
    .meta({ uniqueItems: true }),
}).meta({ id: 'PostingTime' });
export type PostingTime = z.infer<typeof PostingTime>;

const automationFields = {
  appId: z.string(),
  tiktokAccountId: z.string(),
  format: z.enum(['slideshow', 'hook_video']),
  postingTimes: z.array(PostingTime),
  timezone: z.string(),
  brief: Brief.nullable(),
  approvalMode: z.enum(['auto', 'manual']),
  postingMode: z.enum(['drafts', 'publish']),
  privacyLevel: z.enum(privacyLevels).nullable(),
  status: z.enum(['active', 'paused']),
  nextFireAt: timestamp().nullable(),
};

export const Automation = z.object({ ...recordFields, ...automationFields }).meta({ id: 'Automation' });
export type Automation = z.infer<typeof Automation>;

const timezoneText = text(1, 64).meta({ description: 'IANA zone, default UTC.', example: 'Europe/Berlin' });
const postingTimesInput = arrayOf(PostingTime, 1, 50, 'posting times');

export const CreateAutomationBody = body({
  appId: idText(),
  tiktokAccountId: idText(),
  format: oneOf(['slideshow', 'hook_video']),
  postingTimes: postingTimesInput,
  timezone: timezoneText.optional(),
  brief: Brief.optional(),
  approvalMode: oneOf(['auto', 'manual']).optional(),
  postingMode: oneOf(['drafts', 'publish']).optional(),
  privacyLevel: oneOf(privacyLevels).optional(),
}).meta({ id: 'CreateAutomation' });
export type CreateAutomationBody = z.infer<typeof CreateAutomationBody>;

export const UpdateAutomationBody = body({
  status: oneOf(['active', 'paused']).optional(),
  postingTimes: postingTimesInput.optional(),
  timezone: timezoneText.optional(),
  brief: Brief.nullable().optional(),
  approvalMode: oneOf(['auto', 'manual']).optional(),
  postingMode: oneOf(['drafts', 'publish']).optional(),
  privacyLevel: oneOf(privacyLevels).nullable().optional(),
})
  .refine(value => Object.keys(value).length > 0, { error: 'must have at least one field to change' })
  .meta({ id: 'UpdateAutomation', minProperties: 1 });
export type UpdateAutomationBody = z.infer<typeof UpdateAutomationBody>;

export const firingStatuses = [
  'fired',
  'generated',
  'awaiting_approval',
  'scheduled',
  'done',
  'failed',
  'skipped',
] as const;

export const Firing = z
  .object({
    ...recordFields,
    automationId: z.string(),
    slot: timestamp(),
    status: z.enum(firingStatuses),
    contentId: z.string().nullable(),
    scheduleId: z.string().nullable(),
    reason: z.string().nullable(),
  })
  .meta({ id: 'Firing' });
export type Firing = z.infer<typeof Firing>;

const key = { service: 'automation', auth: 'key' } as const;

export const createAutomation = defineRoute({
  ...key,
  id: 'createAutomation',
  method: 'POST',
  path: '/automations',
  scopes: ['automations:write'],
  summary: 'Create a recurring posting plan for one platform account',
  body: CreateAutomationBody,
  status: 201,
  response: single(Automation),
  errors: ['not_found', 'account_not_found', 'cross_app'],
  idempotency: 'honoured',
});

export const listAutomations = defineRoute({
  ...key,
  id: 'listAutomations',
  method: 'GET',
  path: '/automations',
  scopes: ['automations:read'],
  summary: 'List automations, newest first',
  query: body({ ...pageQuery, status: oneOf(['active', 'paused']).optional(), appId: idText().optional() }),
  status: 200,
  response: list(Automation),
  errors: [],
});

export const getAutomation = defineRoute({
  ...key,
  id: 'getAutomation',
  method: 'GET',
  path: '/automations/{id}',
  scopes: ['automations:read'],
  summary: 'Get one automation',
  params: IdParams,
  status: 200,
  response: single(Automation),
  errors: ['not_found'],
});

export const updateAutomation = defineRoute({
  ...key,
  id: 'updateAutomation',
  method: 'PATCH',
  path: '/automations/{id}',
  scopes: ['automations:write'],
  summary: 'Pause, resume or change an automation',
  params: IdParams,
  body: UpdateAutomationBody,
  status: 200,
  response: single(Automation),
  errors: ['not_found'],
});

export const deleteAutomation = defineRoute({
  ...key,
  id: 'deleteAutomation',
  method: 'DELETE',
  path: '/automations/{id}',
  scopes: ['automations:write'],
  summary: 'Delete an automation',
  params: IdParams,
  status: 200,
  response: single(Deleted),
  errors: ['not_found'],
});

export const previewAutomation = defineRoute({
  ...key,
  id: 'previewAutomation',
  method: 'GET',
  path: '/automations/{id}/next',
  scopes: ['automations:read'],
  summary: 'Preview the next firing times',
  params: IdParams,
  query: body({ count: queryInteger(1, 50).optional() }),
  status: 200,
  response: single(z.array(z.object({ fireAt: timestamp(), local: z.string() }))),
  errors: ['not_found'],
});

export const runAutomation = defineRoute({
  ...key,
  id: 'runAutomation',
  method: 'POST',
  path: '/automations/{id}/run',
  scopes: ['automations:write'],
  summary: 'Fire one slot now',
  params: IdParams,
  status: 201,
  response: single(Firing),
  errors: ['not_found'],
  idempotency: 'honoured',
});

export const listFirings = defineRoute({
  ...key,
  id: 'listFirings',
  method: 'GET',
  path: '/automations/{id}/firings',
  scopes: ['automations:read'],
  summary: 'List the firings of an automation, newest first',
  params: IdParams,
  query: body({
    ...pageQuery,
    status: oneOf(firingStatuses).optional(),
    contentId: idText().optional(),
  }),
  status: 200,
  response: list(Firing),
  errors: ['not_found'],
});
