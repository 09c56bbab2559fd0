import { z } from 'zod';
import {
  answerList,
  codeField,
  createdBy,
  idField,
  record,
  recordFields,
  textField,
  timestamp,
  urlField,
  versionField,
} from './answer-fields.ts';
import { Deleted, list, single } from './envelope.ts';
import type { ErrorCode } from './errors.ts';
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
  body,
  filledText,
  flag,
  idFilter,
  idParams,
  idText,
  integer,
  oneOf,
  pageQuery,
  queryInteger,
  statusFilter,
  text,
  timestampInput,
  unitText,
} from './fields.ts';
import {
  exampleOwnFields,
  externalIdFilter,
  ownFields,
  ownFieldsChange,
  ownFieldsInput,
} from './own-fields.ts';
import { postingTimesInput, postingTimesMax, StoredPostingTime, timezoneText } from './posting-times.ts';
import { schedulingRoute } from './route.ts';

export const privacyLevels = [
  'PUBLIC_TO_EVERYONE',
  'MUTUAL_FOLLOW_FRIENDS',
  'FOLLOWER_OF_CREATOR',
  'SELF_ONLY',
] as const;
export type PrivacyLevel = (typeof privacyLevels)[number];
export const scheduleModes = ['draft', 'publish', 'phone'] as const;
export type ScheduleMode = (typeof scheduleModes)[number];
export const scheduleStatuses = ['pending', 'sending', 'due', 'sent', 'failed'] as const;
export const failureCategories = [
  'account',
  'content',
  'platform_rejected',
  'platform_unavailable',
  'rate_limited',
  'outcome_unknown',
  'internal',
] as const;

export const ScheduleFailure = record('ScheduleFailure', {
  code: codeField,
  category: z.enum(failureCategories),
  message: textField,
  retryable: z.boolean(),
  platformMessage: textField.nullable(),
});
export type ScheduleFailure = z.infer<typeof ScheduleFailure>;

const scheduleFields = {
  contentId: idField,
  contentVersion: versionField,
  tiktokAccountId: idField,
  status: z.enum(scheduleStatuses),
  mode: z.enum(scheduleModes),
  privacyLevel: z.enum(privacyLevels).nullable(),
  scheduledFor: timestamp,
  title: textField,
  description: textField,
  disableComment: z.boolean(),
  brandOrganic: z.boolean(),
  brandedContent: z.boolean(),
  aiGenerated: z.boolean(),
  autoAddMusic: z.boolean(),
  waitsBecause: z.enum(['approval', 'sending_paused', 'kept_back']).nullable().meta({
    description:
      'What else than its time a pending schedule waits for: the approval of its content, that sending goes on, or, after a restore that may have hidden its post (`kept_back`), that a person moves or deletes it.',
  }),
  outcome: z.enum(['sent_to_drafts', 'published']).nullable(),
  failure: ScheduleFailure.nullable(),
  platformPostId: textField.nullable(),
  platformPostUrl: urlField.nullable(),
  sentAt: timestamp.nullable(),
  automationId: idField.nullable(),
  createdBy,
  ...ownFields,
  // Events are older than any link, so they have none.
  thumbnailUrl: urlField.nullable().optional().meta({
    description: 'The first slide as a JPEG of 270 px width, valid for 48 h at least. Absent in events.',
  }),
};

export const Schedule = record('Schedule', { ...recordFields, ...scheduleFields });
export type Schedule = z.infer<typeof Schedule>;

/** The answer of POST; with `dryRun=true` nothing is written, so the id is null. */
export const CreatedSchedule = record('CreatedSchedule', {
  ...recordFields,
  ...scheduleFields,
  id: idField.nullable(),
});

export const TimelineEntry = record('TimelineEntry', {
  at: timestamp,
  what: textField,
  detail: textField.nullable(),
});
export const ScheduleWithTimeline = record('ScheduleWithTimeline', {
  ...recordFields,
  ...scheduleFields,
  timeline: answerList(TimelineEntry, 10_000),
});
export type ScheduleWithTimeline = z.infer<typeof ScheduleWithTimeline>;

const whenInput = {
  scheduledFor: timestampInput().optional(),
  slot: oneOf(['next'])
    .optional()
    .meta({ description: 'Instead of `scheduledFor`: the first free slot of the account.' }),
};
const isOneTime = ({ slot, scheduledFor }: { slot?: unknown; scheduledFor?: unknown }) =>
  slot === undefined || scheduledFor === undefined;
const oneTimeOnly = { path: ['slot'], error: 'must be left out where scheduledFor is given' };

/**
 * Body of POST /schedules (API-4, D-8, D-9, D-29). `privacyLevel` is checked by the action, for its own
 * codes.
 */
export const CreateScheduleBody = body({
  contentId: idText(),
  tiktokAccountId: idText(),
  ...whenInput,
  mode: oneOf(scheduleModes).optional(),
  // Any text: an unknown level has its own error code.
  privacyLevel: text(0, 64).optional(),
  title: unitText(90).optional(),
  description: unitText(4000).optional(),
  disableComment: flag().optional(),
  brandOrganic: flag().optional(),
  brandedContent: flag().optional(),
  aiGenerated: flag().optional(),
  autoAddMusic: flag().optional(),
  ...ownFieldsInput,
})
  .refine(isOneTime, oneTimeOnly)
  .meta({ id: 'CreateSchedule' });
export type CreateScheduleBody = z.infer<typeof CreateScheduleBody>;

export const UpdateScheduleBody = body({
  tiktokAccountId: idText().optional(),
  ...whenInput,
  mode: oneOf(scheduleModes).optional(),
  privacyLevel: text(0, 64).nullable().optional(),
  title: unitText(90).nullable().optional(),
  description: unitText(4000).nullable().optional(),
  disableComment: flag().optional(),
  brandOrganic: flag().optional(),
  brandedContent: flag().optional(),
  aiGenerated: flag().optional(),
  autoAddMusic: flag().optional(),
  ...ownFieldsChange,
})
  .refine(value => Object.keys(value).length > 0, { error: 'must have at least one field to change' })
  .refine(isOneTime, oneTimeOnly)
  .meta({ id: 'UpdateSchedule', minProperties: 1 });
export type UpdateScheduleBody = z.infer<typeof UpdateScheduleBody>;

const exampleSchedule: Schedule = {
  id: exampleIds.schedule,
  ...newRecord,
  ...exampleOwnFields,
  contentId: exampleIds.content,
  contentVersion: 1,
  tiktokAccountId: exampleIds.account,
  status: 'pending',
  mode: 'draft',
  privacyLevel: null,
  scheduledFor: '2026-11-22T07:30:00.000Z',
  title: '5 habits that changed my mornings',
  description: 'Small wins, every morning. #habits #morningroutine',
  disableComment: false,
  brandOrganic: false,
  brandedContent: false,
  aiGenerated: true,
  autoAddMusic: true,
  waitsBecause: null,
  outcome: null,
  failure: null,
  platformPostId: null,
  platformPostUrl: null,
  sentAt: null,
  automationId: null,
  createdBy: exampleMaker,
  thumbnailUrl:
    'http://localhost:8080/media/images/image_01k9ztqe3a6d9g2j5m8p1s4v7y?e=1795424400&s=3q2r&w=270',
};

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
  'no_free_slot',
  'missing_privacy_level',
  'invalid_privacy_level',
  'tiktok_create_failed',
  'tiktok_publish_failed',
] as const satisfies readonly ErrorCode[];

export const createSchedule = schedulingRoute('POST /schedules', {
  // `schedules:publish` is checked by scheduling when the mode is `publish`.
  scopes: ['schedules:write'],
  summary: 'Schedule approved content as a draft or a direct post',
  description:
    'Without `scheduledFor` or `slot` the post is sent now. `slot: "next"` takes the first free slot of the account; two requests at once never take the same. `mode: "publish"` also needs the scope `schedules:publish` and a `privacyLevel` that the account allows. `mode: "phone"` is for accounts of kind `phone`, where it is the default: at its time the schedule becomes `due`, and somebody posts the slides on a phone. `aiGenerated: false`, and under the approval policy `postTexts: "approved_only"` a `title` or `description` that is not the approved text, need the scope `content:approve`. `?dryRun=true` runs every check, writes nothing and returns 200 with the record that would have been created (`id: null`).',
  query: body({
    dryRun: oneOf(['true', 'false'])
      .optional()
      .meta({ description: '`true`: run every check and write nothing.' }),
  }),
  body: CreateScheduleBody,
  status: 201,
  dryRunStatus: 200,
  response: single(CreatedSchedule),
  errors: createErrors,
  waitsOutside: 'unlessScheduled',
  example: {
    body: { contentId: exampleIds.content, tiktokAccountId: exampleIds.account, mode: 'draft' },
    response: { data: exampleSchedule },
  },
});

export const listSchedules = schedulingRoute('GET /schedules', {
  scopes: ['schedules:read'],
  summary: 'List schedules, newest first',
  description:
    'Without their timelines; read one schedule to get its timeline. With `from` or `to` the rows come in the order of `scheduledFor`, earliest first, and so do the pages.',
  query: body({
    ...pageQuery,
    status: statusFilter(scheduleStatuses),
    contentId: idFilter('content'),
    tiktokAccountId: idFilter('TikTok account'),
    externalId: externalIdFilter,
    from: timestampInput()
      .optional()
      .meta({
        description: 'Return only those scheduled for this time or later.',
        examples: ['2026-11-01T00:00:00Z'],
      }),
    to: timestampInput()
      .optional()
      .meta({
        description: 'Return only those scheduled for a time before this one.',
        examples: ['2026-12-01T00:00:00Z'],
      }),
  }).refine(({ from, to }) => !from || !to || new Date(from) < new Date(to), {
    path: ['to'],
    error: 'must be later than from',
  }),
  response: list(Schedule),
  example: { response: listExample(exampleSchedule) },
});

export const getSchedule = schedulingRoute('GET /schedules/{id}', {
  scopes: ['schedules:read'],
  summary: 'Get one schedule with its timeline',
  description:
    '`timeline` has every change of state, attempt and response of the platform, oldest first; of more than 1,000, the newest.',
  params: idParams('schedule', exampleIds.schedule),
  response: single(ScheduleWithTimeline),
  example: {
    response: {
      data: { ...exampleSchedule, timeline: [{ at: exampleTime, what: 'created', detail: null }] },
    },
  },
});

export const updateSchedule = schedulingRoute('PATCH /schedules/{id}', {
  scopes: ['schedules:write'],
  summary: 'Change a waiting schedule',
  description:
    'Only while `pending` or `due`; what is due waits for its time again. `slot: "next"` counts its own time as free. Only the given fields change, under the checks and scopes of its creation; a time alone needs no approval, which is asked for when it is due; another content is another schedule. `title` or `description: null` goes back to the text of the content. In `publish` mode it needs the scope `schedules:publish`.',
  params: idParams('schedule', exampleIds.schedule),
  body: UpdateScheduleBody,
  response: single(Schedule),
  errors: [...createErrors, 'already_sending', 'already_sent'],
  mayConflict: true,
  waitsOutside: 'unlessMoved',
  example: {
    body: { scheduledFor: '2026-11-23T07:30:00Z' },
    response: {
      data: { ...exampleSchedule, updatedAt: laterTime, scheduledFor: '2026-11-23T07:30:00.000Z' },
    },
  },
});

export const deleteSchedule = schedulingRoute('DELETE /schedules/{id}', {
  scopes: ['schedules:write'],
  summary: 'Withdraw a waiting schedule',
  description:
    'Only while `pending` or `due`. After the response nothing is posted. With `mode: "publish"` it needs the scope `schedules:publish`, as making it did.',
  params: idParams('schedule', exampleIds.schedule),
  response: single(Deleted),
  errors: ['not_found', 'already_sending', 'already_sent', 'queue_unavailable'],
  example: { response: deletedExample(exampleIds.schedule) },
});

export const retrySchedule = schedulingRoute('POST /schedules/{id}/retry', {
  scopes: ['schedules:write'],
  summary: 'Retry a failed schedule',
  description:
    'Only for a `failed` schedule whose `failure.retryable` is true. In `publish` mode it also needs the scope `schedules:publish`.',
  params: idParams('schedule', exampleIds.schedule),
  response: single(Schedule),
  errors: [
    'not_found',
    'account_not_found',
    'not_postable',
    'already_scheduled',
    'already_sending',
    'already_sent',
  ],
  example: { response: { data: { ...exampleSchedule, updatedAt: laterTime } } },
});

export const markPosted = schedulingRoute('POST /schedules/{id}/posted', {
  scopes: ['schedules:publish'],
  summary: 'Record that somebody posted a schedule by phone',
  description:
    'Ends a schedule of mode `phone` as `sent`, with the address of the post if given. Nothing else does. Refused for a version that was not approved. A repeat returns the same record, and adds the address if it had none.',
  params: idParams('schedule', exampleIds.schedule),
  body: body({
    url: text(1, 2048)
      .regex(/^https:\/\/\S+$/, { error: 'must be an https address' })
      .optional(),
    version: integer(1, 1_000_000)
      .optional()
      .meta({ description: 'The version that was posted. Default: the newest, if it is approved.' }),
  }).meta({ id: 'MarkPosted' }),
  bodyOptional: true,
  response: single(Schedule),
  errors: ['not_found', 'not_approved', 'already_sending'],
  example: {
    body: { url: 'https://www.tiktok.com/@maya.makes/photo/7543210987654321098', version: 1 },
    response: {
      data: {
        ...exampleSchedule,
        updatedAt: laterTime,
        status: 'sent',
        mode: 'phone',
        outcome: 'published',
        platformPostUrl: 'https://www.tiktok.com/@maya.makes/photo/7543210987654321098',
        sentAt: laterTime,
      },
    },
  },
});

export const accountKinds = ['api', 'phone'] as const;
export const accountStatuses = ['connected', 'needs_reauth', 'disconnected'] as const;

export const Account = record('Account', {
  ...recordFields,
  platform: z.literal('tiktok'),
  kind: z.enum(accountKinds).meta({
    description: '`phone`: somebody posts what is due for it by hand; nothing is connected at TikTok.',
  }),
  username: textField.nullable().meta({
    description:
      'The handle without @. Null while TikTok has not told it, as for an account that grants only drafts.',
  }),
  displayName: textField,
  avatarUrl: urlField.nullable(),
  appId: idField.nullable(),
  status: z.enum(accountStatuses),
  canPublish: z.boolean(),
  privacyLevels: answerList(z.enum(privacyLevels), privacyLevels.length),
  commentDisabled: z.boolean().meta({ description: 'The creator takes no comments: no post has them.' }),
  checkedAt: timestamp.nullable(),
  slots: answerList(StoredPostingTime, postingTimesMax).meta({
    description: 'Posting times, which `slot: "next"` of `POST /schedules` fills.',
  }),
  timezone: textField.meta({ description: 'The IANA zone of the slots.' }),
});
export type Account = z.infer<typeof Account>;

const exampleAccount: Account = {
  id: exampleIds.account,
  ...newRecord,
  platform: 'tiktok',
  kind: 'api',
  username: 'maya.makes',
  displayName: 'Maya makes',
  avatarUrl: null,
  appId: exampleIds.app,
  status: 'connected',
  canPublish: true,
  privacyLevels: ['PUBLIC_TO_EVERYONE', 'SELF_ONLY'],
  commentDisabled: false,
  checkedAt: exampleTime,
  slots: [{ time: '08:30', days: ['mon', 'thu'] }],
  timezone: 'Europe/Berlin',
};

export const listAccounts = schedulingRoute('GET /accounts', {
  scopes: [],
  summary: 'List connected platform accounts',
  description:
    'Nothing is posted to an account in `needs_reauth` or `disconnected` until it is connected again.',
  query: body({ ...pageQuery, status: statusFilter(accountStatuses), appId: idFilter('app') }),
  response: list(Account),
  example: {
    response: listExample(exampleAccount),
  },
});

const accountName = filledText(60);

export const updateAccount = schedulingRoute('PATCH /accounts/{id}', {
  auth: 'session',
  roles: ['owner'],
  summary: 'Set the posting slots of an account, or rename a phone account',
  description:
    'Schedules that are made already keep their times. `name` is for accounts of kind `phone`; TikTok names the others.',
  params: idParams('account', exampleIds.account),
  body: body({
    name: accountName.optional(),
    slots: postingTimesInput(0).optional(),
    timezone: timezoneText.optional(),
  })
    .refine(value => Object.keys(value).length > 0, { error: 'must have at least one field to change' })
    .meta({ id: 'UpdateAccount', minProperties: 1 }),
  response: single(Account),
  errors: ['account_not_found'],
  example: {
    body: { slots: exampleAccount.slots, timezone: 'Europe/Berlin' },
    response: { data: { ...exampleAccount, updatedAt: laterTime } },
  },
});

export const freeSlotsMax = 50;
export const FreeSlot = record('FreeSlot', { scheduledFor: timestamp });

export const listFreeSlots = schedulingRoute('GET /accounts/{id}/slots', {
  scopes: ['schedules:read'],
  summary: 'List the next free slots of an account',
  description:
    'A slot is free if no schedule of the account waits for a time less than 10 minutes away from it. Empty without slots; at most 365 days ahead.',
  params: idParams('account', exampleIds.account),
  query: body({
    count: queryInteger(1, freeSlotsMax).optional().meta({ description: 'How many slots, by default 10.' }),
  }),
  response: single(answerList(FreeSlot, freeSlotsMax)),
  errors: ['account_not_found'],
  example: { response: { data: [{ scheduledFor: '2026-11-23T07:30:00.000Z' }] } },
});

export const addPhone = schedulingRoute('POST /accounts/phone', {
  auth: 'session',
  roles: ['owner'],
  summary: 'Add an account whose posts somebody makes on a phone',
  description:
    'Needs no TikTok app, so no audit. What is scheduled for it becomes `due` at its time and waits until somebody posts it and says so.',
  body: body({ name: accountName, appId: idText().optional() }).meta({ id: 'AddPhone' }),
  status: 201,
  response: single(Account),
  errors: ['not_found'],
  example: {
    body: { name: 'Maya makes' },
    response: {
      data: {
        ...exampleAccount,
        kind: 'phone',
        username: null,
        appId: null,
        canPublish: false,
        privacyLevels: [],
        checkedAt: null,
      },
    },
  },
});

/** `/console` or a path below it. Without dots and escapes, so that it leads nowhere else. */
const consolePath = /^\/console(?:[/?#][\w/?#=&-]*)?$/;

export const connectTiktok = schedulingRoute('POST /accounts/tiktok/connect', {
  auth: 'session',
  roles: ['owner'],
  summary: 'Start connecting a TikTok account',
  description:
    'Open `authorizeUrl` in a browser; TikTok sends the person back to the callback. Nothing is connected until `POST /accounts/tiktok/finish`.',
  body: body({
    appId: idText().optional(),
    returnTo: text(1, 512)
      .regex(consolePath, { error: 'must be a path of the console, such as /console/accounts' })
      .optional()
      .meta({ description: 'The page of the console that the callback leads back to.' }),
  }).meta({ id: 'ConnectTiktok' }),
  bodyOptional: true,
  status: 201,
  response: single(
    record('TiktokConnection', { authorizeUrl: urlField, state: textField, expiresAt: timestamp }),
  ),
  errors: ['not_found'],
  example: {
    body: { appId: exampleIds.app },
    response: {
      data: {
        authorizeUrl: 'https://www.tiktok.com/v2/auth/authorize/?client_key=aw0example&state=Qk3vT1hT8m',
        state: 'Qk3vT1hT8m',
        expiresAt: '2026-11-21T09:10:00.000Z',
      },
    },
  },
});

export const tiktokCallback = schedulingRoute('GET /accounts/tiktok/callback', {
  auth: 'none',
  summary: 'The redirect from TikTok; returns a page, or the envelope when JSON is requested',
  description:
    'Opened by the browser. Connects nothing: the page asks the person who began the connection to finish it. With `Accept: application/json` it returns `{ status: "waiting", state, expiresAt }`, where `state` finishes it.',
  // The platform may add parameters, so unknown ones are allowed here.
  query: z.object({
    code: text(1, 2048).optional().meta({ description: "TikTok's authorization code." }),
    state: text(1, 256)
      .optional()
      .meta({ description: 'The `state` that `POST /accounts/tiktok/connect` returned.' }),
    error: text(1, 256).optional().meta({ description: "TikTok's reason for sending no code." }),
    error_description: text(0, 2048).optional().meta({ description: "TikTok's description of the error." }),
  }),
  errors: ['tiktok_create_failed'],
  example: {},
});

export const finishTiktok = schedulingRoute('POST /accounts/tiktok/finish', {
  auth: 'session',
  roles: ['owner'],
  summary: 'Finish connecting a TikTok account',
  description:
    'Only for the person who began the connection, within 10 minutes, once TikTok has sent the browser back. `state` is the one of the callback; on a loopback address the one of `POST /accounts/tiktok/connect` works too.',
  body: body({ state: text(1, 256) }).meta({ id: 'FinishTiktok' }),
  response: single(Account),
  errors: ['tiktok_create_failed'],
  waitsOutside: 'always',
  example: { body: { state: 'Qk3vT1hT8m.bX9t2LqWz4' }, response: { data: exampleAccount } },
});

export const deleteAccount = schedulingRoute('DELETE /accounts/{id}', {
  auth: 'session',
  roles: ['owner'],
  summary: 'Disconnect a platform account',
  description:
    'Revokes the tokens at the platform, unless another workspace has the same TikTok account connected. Pending schedules of the account end as `failed` with `account_not_connected`.',
  params: idParams('account', exampleIds.account),
  response: single(Deleted),
  errors: ['account_not_found'],
  waitsOutside: 'always',
  example: { response: deletedExample(exampleIds.account) },
});
