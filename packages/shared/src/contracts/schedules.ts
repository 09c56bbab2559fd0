import { z } from 'zod';
import { IdParams } from './apps.ts';
import { Deleted, list, single } from './envelope.ts';
import type { ErrorCode } from './errors.ts';
import {
  body,
  flag,
  idText,
  oneOf,
  pageQuery,
  recordFields,
  text,
  timestamp,
  timestampInput,
  unitText,
} from './fields.ts';
import { defineRoute } from './route.ts';

export const privacyLevels = [
  'PUBLIC_TO_EVERYONE',
  'MUTUAL_FOLLOW_FRIENDS',
  'FOLLOWER_OF_CREATOR',
  'SELF_ONLY',
] as const;
export type PrivacyLevel = (typeof privacyLevels)[number];
export const scheduleModes = ['draft', 'publish'] as const;
export const scheduleStatuses = ['pending', 'sending', 'sent', 'failed'] as const;
export const failureCategories = [
  'account',
  'content',
  'platform_rejected',
  'platform_unavailable',
  'rate_limited',
  'outcome_unknown',
  'internal',
] as const;

export const ScheduleFailure = z
  .object({
    code: z.string(),
    category: z.enum(failureCategories),
    message: z.string(),
    retryable: z.boolean(),
    platformMessage: z.string().nullable(),
  })
  .meta({ id: 'ScheduleFailure' });
export type ScheduleFailure = z.infer<typeof ScheduleFailure>;

const scheduleFields = {
  contentId: z.string(),
  contentVersion: z.int(),
  tiktokAccountId: z.string(),
  status: z.enum(scheduleStatuses),
  mode: z.enum(scheduleModes),
  privacyLevel: z.enum(privacyLevels).nullable(),
  scheduledFor: timestamp(),
  title: z.string(),
  description: z.string(),
  disableComment: z.boolean(),
  brandOrganic: z.boolean(),
  brandedContent: z.boolean(),
  aiGenerated: z.boolean(),
  autoAddMusic: z.boolean(),
  outcome: z.enum(['sent_to_drafts', 'published']).nullable(),
  failure: ScheduleFailure.nullable(),
  platformPostId: z.string().nullable(),
  platformPostUrl: z.string().nullable(),
  sentAt: timestamp().nullable(),
  automationId: z.string().nullable(),
};

export const Schedule = z.object({ ...recordFields, ...scheduleFields }).meta({ id: 'Schedule' });
export type Schedule = z.infer<typeof Schedule>;

/** What POST answers: with `dryRun=true` nothing was written, so the id is null. */
export const CreatedSchedule = z
  .object({ ...recordFields, ...scheduleFields, id: z.string().nullable() })
  .meta({ id: 'CreatedSchedule' });

export const TimelineEntry = z
  .object({ at: timestamp(), what: z.string(), detail: z.string().nullable() })
  .meta({ id: 'TimelineEntry' });
export const ScheduleWithTimeline = z
  .object({ ...recordFields, ...scheduleFields, timeline: z.array(TimelineEntry) })
  .meta({ id: 'ScheduleWithTimeline' });
export type ScheduleWithTimeline = z.infer<typeof ScheduleWithTimeline>;

/** Body of POST /schedules (API-4, D-8, D-9, D-29). `privacyLevel` is checked by the action, for its own codes. */
export const CreateScheduleBody = body({
  contentId: idText(),
  tiktokAccountId: idText(),
  scheduledFor: timestampInput().optional(),
  mode: oneOf(scheduleModes).optional(),
  // Any text: an unknown level has a code of its own.
  privacyLevel: text(0, 64).optional(),
  title: unitText(90).optional(),
  description: unitText(4000).optional(),
  disableComment: flag().optional(),
  brandOrganic: flag().optional(),
  brandedContent: flag().optional(),
  aiGenerated: flag().optional(),
  autoAddMusic: flag().optional(),
}).meta({ id: 'CreateSchedule' });
export type CreateScheduleBody = z.infer<typeof CreateScheduleBody>;

const createErrors = [
  'not_found',
  'not_approved',
  'no_images',
  'not_postable',
  'slide_missing',
  'unsupported_image_format',
  'image_too_large',
  'too_many_slides',
  'account_not_found',
  'account_not_connected',
  'account_needs_reauth',
  'cross_app',
  'already_scheduled',
  'missing_privacy_level',
  'invalid_privacy_level',
  'tiktok_create_failed',
  'tiktok_publish_failed',
] as const satisfies readonly ErrorCode[];

export const createSchedule = defineRoute({
  id: 'createSchedule',
  method: 'POST',
  path: '/schedules',
  service: 'scheduling',
  auth: 'key',
  // `schedules:publish` is asked for by scheduling when the mode is `publish`.
  scopes: ['schedules:write'],
  summary: 'Schedule approved content as a draft or a direct post',
  query: body({ dryRun: oneOf(['true', 'false']).optional() }),
  body: CreateScheduleBody,
  status: 201,
  dryRunStatus: 200,
  response: single(CreatedSchedule),
  errors: createErrors,
  idempotency: 'honoured',
});

export const listSchedules = defineRoute({
  id: 'listSchedules',
  method: 'GET',
  path: '/schedules',
  service: 'scheduling',
  auth: 'key',
  scopes: ['schedules:read'],
  summary: 'List schedules, newest first',
  query: body({
    ...pageQuery,
    status: oneOf(scheduleStatuses).optional(),
    contentId: idText().optional(),
  }),
  status: 200,
  response: list(Schedule),
  errors: [],
});

export const getSchedule = defineRoute({
  id: 'getSchedule',
  method: 'GET',
  path: '/schedules/{id}',
  service: 'scheduling',
  auth: 'key',
  scopes: ['schedules:read'],
  summary: 'Get one schedule with its timeline',
  params: IdParams,
  status: 200,
  response: single(ScheduleWithTimeline),
  errors: ['not_found'],
});

export const updateSchedule = defineRoute({
  id: 'updateSchedule',
  method: 'PATCH',
  path: '/schedules/{id}',
  service: 'scheduling',
  auth: 'key',
  scopes: ['schedules:write'],
  summary: 'Move a pending schedule to another time',
  params: IdParams,
  body: body({ scheduledFor: timestampInput() }).meta({ id: 'UpdateSchedule' }),
  status: 200,
  response: single(Schedule),
  errors: ['not_found', 'already_sending', 'already_sent'],
});

export const deleteSchedule = defineRoute({
  id: 'deleteSchedule',
  method: 'DELETE',
  path: '/schedules/{id}',
  service: 'scheduling',
  auth: 'key',
  scopes: ['schedules:write'],
  summary: 'Withdraw a pending schedule',
  params: IdParams,
  status: 200,
  response: single(Deleted),
  errors: ['not_found', 'already_sending', 'already_sent', 'queue_unavailable'],
});

export const retrySchedule = defineRoute({
  id: 'retrySchedule',
  method: 'POST',
  path: '/schedules/{id}/retry',
  service: 'scheduling',
  auth: 'key',
  scopes: ['schedules:write'],
  summary: 'Try a failed, retryable schedule again',
  params: IdParams,
  status: 200,
  response: single(Schedule),
  errors: ['not_found', 'not_postable', 'already_scheduled', 'already_sending', 'already_sent'],
  idempotency: 'honoured',
});

export const accountStatuses = ['connected', 'needs_reauth', 'disconnected'] as const;

export const Account = z
  .object({
    ...recordFields,
    platform: z.literal('tiktok'),
    username: z.string(),
    displayName: z.string(),
    avatarUrl: z.string().nullable(),
    appId: z.string().nullable(),
    status: z.enum(accountStatuses),
    canPublish: z.boolean(),
    privacyLevels: z.array(z.enum(privacyLevels)),
    checkedAt: timestamp().nullable(),
  })
  .meta({ id: 'Account' });
export type Account = z.infer<typeof Account>;

export const listAccounts = defineRoute({
  id: 'listAccounts',
  method: 'GET',
  path: '/accounts',
  service: 'scheduling',
  auth: 'key',
  scopes: [],
  summary: 'List connected platform accounts',
  query: body({ ...pageQuery, status: oneOf(accountStatuses).optional(), appId: idText().optional() }),
  status: 200,
  response: list(Account),
  errors: [],
});

export const connectTiktok = defineRoute({
  id: 'connectTiktok',
  method: 'POST',
  path: '/accounts/tiktok/connect',
  service: 'scheduling',
  auth: 'session',
  scopes: [],
  summary: 'Begin connecting a TikTok account',
  body: body({ appId: idText().optional() }).meta({ id: 'ConnectTiktok' }),
  bodyOptional: true,
  status: 201,
  response: single(z.object({ authorizeUrl: z.string(), state: z.string(), expiresAt: timestamp() })),
  errors: ['not_found'],
  idempotency: 'honoured',
});

export const tiktokCallback = defineRoute({
  id: 'tiktokCallback',
  method: 'GET',
  path: '/accounts/tiktok/callback',
  service: 'scheduling',
  auth: 'none',
  scopes: [],
  summary: 'Where TikTok sends the person back; a small page, or the envelope when JSON is asked for',
  // The platform may add parameters, so unknown ones are let through here.
  query: z.object({
    code: text(1, 2048).optional(),
    state: text(1, 256).optional(),
    error: text(1, 256).optional(),
    error_description: text(0, 2048).optional(),
  }),
  status: 200,
  errors: ['tiktok_create_failed'],
});

export const deleteAccount = defineRoute({
  id: 'deleteAccount',
  method: 'DELETE',
  path: '/accounts/{id}',
  service: 'scheduling',
  auth: 'session',
  scopes: [],
  summary: 'Disconnect a platform account',
  params: IdParams,
  status: 200,
  response: single(Deleted),
  errors: ['account_not_found'],
});
