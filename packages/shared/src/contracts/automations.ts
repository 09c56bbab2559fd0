import { z } from 'zod';
import {
  answerInteger,
  answerList,
  answerText,
  count,
  createdBy,
  idField,
  Maker,
  record,
  recordFields,
  textField,
  timestamp,
} from './answer-fields.ts';
import { Brief, StoredBrief } from './brief.ts';
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
  filledText,
  idFilter,
  idParams,
  idText,
  integer,
  oneOf,
  pageQuery,
  queryInteger,
  statusFilter,
  timestampInput,
} from './fields.ts';
import {
  exampleOwnFields,
  externalIdFilter,
  ownFields,
  ownFieldsChange,
  ownFieldsInput,
} from './own-fields.ts';
import { postingTimesInput, postingTimesMax, StoredPostingTime, timezoneText } from './posting-times.ts';
import { automationRoute } from './route.ts';
import { privacyLevels } from './schedules.ts';

const topicsMax = 100;
const topicLength = 500;
const firingsMax = 1_000_000;

export const automationStatuses = ['active', 'paused', 'ended'] as const;

const automationFields = {
  appId: idField,
  tiktokAccountId: idField,
  format: z.enum(['slideshow', 'hook_video']),
  postingTimes: answerList(StoredPostingTime, postingTimesMax),
  timezone: textField,
  brief: StoredBrief.nullable(),
  topics: answerList(answerText(topicLength), topicsMax).meta({ description: 'Used in turn, one a firing.' }),
  nextTopic: answerText(topicLength).nullable(),
  until: timestamp.nullable().meta({ description: 'No slot after this time fires.' }),
  maxFirings: answerInteger(1, firingsMax).nullable(),
  firingsMade: count.meta({
    description: 'How often it fired, whatever became of the decks. Slots that were missed do not count.',
  }),
  firingsLeft: count.nullable().meta({ description: 'Null without `maxFirings`.' }),
  approvalMode: z.enum(['auto', 'manual']),
  postingMode: z.enum(['drafts', 'publish']),
  privacyLevel: z.enum(privacyLevels).nullable(),
  status: z.enum(automationStatuses),
  endedReason: z.enum(['until', 'max_firings']).nullable().meta({
    description: 'Why it fires no more; null unless `status` is `ended`. Another limit brings it back.',
  }),
  nextFireAt: timestamp.nullable(),
  nothingNewSince: timestamp.nullable().meta({
    description:
      'Since when its decks would repeat those of the last 60 days, so that its firings are skipped with `nothing_new`. Add topics, connect a text model or refresh the listing of the app.',
  }),
  createdBy,
  confirmedBy: Maker.nullable().meta({
    description: 'Who confirmed the present brief and topics, other than their author.',
  }),
  awaitsConfirmation: z.boolean().meta({
    description:
      'The approval policy asks that a person, or another than their author, confirms the brief and the topics; until then its slideshows wait for approval.',
  }),
  ...ownFields,
};

export const Automation = record('Automation', { ...recordFields, ...automationFields });
export type Automation = z.infer<typeof Automation>;

const topicsInput = arrayOf(filledText(topicLength), 0, topicsMax, 'topics').meta({
  description: 'Used in turn instead of `brief.topic`, which must be left out.',
});
const untilInput = timestampInput().meta({ description: 'No slot after this time fires.' });
const maxFiringsInput = integer(1, firingsMax).meta({
  description: 'It ends when it fired so often since its creation.',
});

export const CreateAutomationBody = body({
  appId: idText(),
  tiktokAccountId: idText(),
  format: oneOf(['slideshow', 'hook_video']),
  postingTimes: postingTimesInput(1),
  timezone: timezoneText.optional(),
  brief: Brief.optional(),
  topics: topicsInput.optional(),
  until: untilInput.optional(),
  maxFirings: maxFiringsInput.optional(),
  approvalMode: oneOf(['auto', 'manual']).optional(),
  postingMode: oneOf(['drafts', 'publish']).optional(),
  privacyLevel: oneOf(privacyLevels).optional(),
  ...ownFieldsInput,
}).meta({ id: 'CreateAutomation' });
export type CreateAutomationBody = z.infer<typeof CreateAutomationBody>;

export const UpdateAutomationBody = body({
  status: oneOf(['active', 'paused']).optional(),
  postingTimes: postingTimesInput(1).optional(),
  timezone: timezoneText.optional(),
  brief: Brief.nullable().optional(),
  topics: topicsInput.nullable().optional(),
  until: untilInput.nullable().optional(),
  maxFirings: maxFiringsInput.nullable().optional(),
  approvalMode: oneOf(['auto', 'manual']).optional(),
  postingMode: oneOf(['drafts', 'publish']).optional(),
  privacyLevel: oneOf(privacyLevels).nullable().optional(),
  ...ownFieldsChange,
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

export const Firing = record('Firing', {
  ...recordFields,
  automationId: idField,
  slot: timestamp,
  status: z.enum(firingStatuses),
  contentId: idField.nullable(),
  scheduleId: idField.nullable(),
  reason: textField.nullable(),
});
export type Firing = z.infer<typeof Firing>;

export const FiringTime = record('FiringTime', { fireAt: timestamp, local: textField });

const exampleAutomation: Automation = {
  id: exampleIds.automation,
  ...newRecord,
  ...exampleOwnFields,
  appId: exampleIds.app,
  tiktokAccountId: exampleIds.account,
  format: 'slideshow',
  postingTimes: [{ time: '08:30', days: ['mon', 'thu'] }],
  timezone: 'Europe/Berlin',
  brief: { templateId: 'quote-card' },
  topics: ['morning habits', 'habits for travellers'],
  nextTopic: 'morning habits',
  until: null,
  maxFirings: 20,
  firingsMade: 0,
  firingsLeft: 20,
  approvalMode: 'manual',
  postingMode: 'drafts',
  privacyLevel: null,
  status: 'active',
  endedReason: null,
  nextFireAt: '2026-11-23T07:30:00.000Z',
  nothingNewSince: null,
  createdBy: exampleMaker,
  confirmedBy: null,
  awaitsConfirmation: false,
};
const exampleFiring: Firing = {
  id: exampleIds.firing,
  ...newRecord,
  automationId: exampleIds.automation,
  slot: exampleTime,
  status: 'awaiting_approval',
  contentId: exampleIds.content,
  scheduleId: null,
  reason: null,
};

export const exampleSkippedFiring: Firing = {
  ...exampleFiring,
  status: 'skipped',
  reason: `nothing_new: Nothing new to say: 84 % of the slideshow is in ${exampleIds.content}, which this automation made in the last 60 days; nothing was charged. Give the automation topics, refresh the listing of the app or connect a text model.`,
};

export const createAutomation = automationRoute('POST /automations', {
  scopes: ['automations:write'],
  summary: 'Create a recurring posting plan for one platform account',
  description:
    'Each firing generates a deck. With `approvalMode: "auto"` it is approved and posted; with `manual` it waits for approval. `approvalMode: "auto"` also needs the scope `content:approve`, and `postingMode: "publish"` the scope `schedules:publish`. An account has at most 100 automations.',
  body: CreateAutomationBody,
  status: 201,
  response: single(Automation),
  errors: ['not_found', 'account_not_found', 'cross_app', 'invalid_privacy_level'],
  example: {
    body: {
      appId: exampleIds.app,
      tiktokAccountId: exampleIds.account,
      format: 'slideshow',
      postingTimes: exampleAutomation.postingTimes,
      timezone: exampleAutomation.timezone,
      brief: exampleAutomation.brief as Brief,
      topics: exampleAutomation.topics,
      maxFirings: 20,
    },
    response: { data: exampleAutomation },
  },
});

export const listAutomations = automationRoute('GET /automations', {
  scopes: ['automations:read'],
  summary: 'List automations, newest first',
  description: '`nextFireAt` is null while an automation is paused, and once it has ended.',
  query: body({
    ...pageQuery,
    status: statusFilter(automationStatuses),
    appId: idFilter('app'),
    externalId: externalIdFilter,
  }),
  response: list(Automation),
  example: { response: listExample(exampleAutomation) },
});

/** The next time at which an automation fires, unless it is changed before. */
export const NextFiring = record('NextFiring', {
  automationId: idField,
  appId: idField,
  tiktokAccountId: idField,
  fireAt: timestamp,
  local: textField.meta({ description: 'The same time on the clocks of the time zone of the automation.' }),
});
export type NextFiring = z.infer<typeof NextFiring>;

export const listNextFirings = automationRoute('GET /automations/next', {
  scopes: ['automations:read'],
  summary: 'Preview the next firings of all automations',
  description: 'Lists firings of active automations in the order of their times. There are no pages.',
  query: body({
    limit: queryInteger(1, 100).optional().meta({ description: 'Number of firings. Default 20.' }),
  }),
  response: single(answerList(NextFiring, 100)),
  example: {
    response: {
      data: [
        {
          automationId: exampleIds.automation,
          appId: exampleIds.app,
          tiktokAccountId: exampleIds.account,
          fireAt: '2026-11-23T07:30:00.000Z',
          local: '2026-11-23T08:30:00.000+01:00',
        },
      ],
    },
  },
});

export const getAutomation = automationRoute('GET /automations/{id}', {
  scopes: ['automations:read'],
  summary: 'Get one automation',
  description: '`nextFireAt` is null while the automation is paused, and once it has ended.',
  params: idParams('automation', exampleIds.automation),
  response: single(Automation),
  example: { response: { data: exampleAutomation } },
});

export const updateAutomation = automationRoute('PATCH /automations/{id}', {
  scopes: ['automations:write'],
  summary: 'Pause, resume or change an automation',
  description:
    'Unless it only pauses, a change needs the scopes of what the automation is afterwards: `content:approve` with `approvalMode: "auto"`, `schedules:publish` with `postingMode: "publish"`. An automation that ended is active again when a change of its plan, `until` or `maxFirings` leaves it a slot. Null removes `brief`, `topics`, `until` and `maxFirings`.',
  params: idParams('automation', exampleIds.automation),
  body: UpdateAutomationBody,
  response: single(Automation),
  errors: ['not_found', 'account_not_found', 'invalid_privacy_level'],
  example: {
    body: { status: 'paused' },
    response: {
      data: { ...exampleAutomation, updatedAt: laterTime, status: 'paused', nextFireAt: null },
    },
  },
});

export const deleteAutomation = automationRoute('DELETE /automations/{id}', {
  scopes: ['automations:write'],
  summary: 'Delete an automation',
  description: 'It does not fire again. Content and schedules that it created are kept.',
  params: idParams('automation', exampleIds.automation),
  response: single(Deleted),
  example: { response: deletedExample(exampleIds.automation) },
});

export const previewAutomation = automationRoute('GET /automations/{id}/next', {
  scopes: ['automations:read'],
  summary: 'Preview the next firing times',
  description: 'The next firing times, in UTC and in the time zone of the automation.',
  params: idParams('automation', exampleIds.automation),
  query: body({
    count: queryInteger(1, 50).optional().meta({ description: 'Number of firing times. Default 10.' }),
  }),
  response: single(answerList(FiringTime, 100)),
  example: {
    response: { data: [{ fireAt: '2026-11-23T07:30:00.000Z', local: '2026-11-23T08:30:00+01:00' }] },
  },
});

export const runAutomation = automationRoute('POST /automations/{id}/run', {
  scopes: ['automations:write'],
  summary: 'Fire one slot now',
  description:
    'Fires once, now, with the next topic; it counts for `maxFirings`. The plan is unchanged. With `approvalMode: "auto"` it also needs the scope `content:approve`, with `postingMode: "publish"` the scope `schedules:publish`.',
  params: idParams('automation', exampleIds.automation),
  status: 201,
  response: single(Firing),
  example: { response: { data: { ...exampleFiring, status: 'fired', contentId: null } } },
});

export const ConfirmAutomationBody = body({
  updatedAt: timestampInput().optional().meta({
    description:
      'The `updatedAt` of the automation that was looked at. 409 `not_ready` if it was changed since. Required where the approval policy asks for `version`.',
  }),
}).meta({ id: 'ConfirmAutomation' });

export const confirmAutomation = automationRoute('POST /automations/{id}/confirm', {
  scopes: ['content:approve'],
  summary: 'Confirm the brief of an automation that somebody else wrote',
  description:
    'Under the approval policy `selfApproval: false` an automation with `approvalMode: "auto"` approves nothing before; whoever last changed the brief or the topics, with a key or in person, gets 403 `missing_scope`. Under `people_only` one that a key had set so waits too, and keys get 403. The next change of brief or topics ends it.',
  params: idParams('automation', exampleIds.automation),
  body: ConfirmAutomationBody,
  bodyOptional: true,
  response: single(Automation),
  errors: ['not_found', 'not_ready'],
  example: {
    body: { updatedAt: exampleTime },
    response: {
      data: {
        ...exampleAutomation,
        updatedAt: laterTime,
        approvalMode: 'auto',
        confirmedBy: { kind: 'person', id: exampleIds.user, name: 'Maya' },
      },
    },
  },
});

export const listFirings = automationRoute('GET /automations/{id}/firings', {
  scopes: ['automations:read'],
  summary: 'List the firings of an automation, newest first',
  description:
    'Each with its content, its schedule and, where it failed, was skipped or waits for a person against its plan, the reason.',
  params: idParams('automation', exampleIds.automation),
  query: body({
    ...pageQuery,
    status: statusFilter(firingStatuses),
    contentId: idFilter('content'),
  }),
  response: list(Firing),
  example: { response: listExample(exampleFiring) },
});
