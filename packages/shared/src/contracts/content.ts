import { z } from 'zod';
import {
  answerInteger,
  answerList,
  answerText,
  codeField,
  count,
  idField,
  record,
  recordFields,
  textField,
  timestamp,
  urlField,
  versionField,
} from './answer-fields.ts';
import { Brief, exampleBrief, hashtagsInput, StoredBrief, slidePositions, templateIds } from './brief.ts';
import { list, single } from './envelope.ts';
import { exampleIds, laterTime, listExample, newRecord } from './examples.ts';
import {
  arrayOf,
  body,
  filledText,
  idFilter,
  idParams,
  idsFilter,
  idText,
  integer,
  oneOf,
  pageQuery,
  statusFilter,
  text,
  timestampInput,
} from './fields.ts';
import { exampleOwnFields, externalIdFilter, ownFields, ownFieldsInput } from './own-fields.ts';
import { contentRoute, schedulingRoute } from './route.ts';
import { scheduleModes } from './schedules.ts';

export const contentTypes = ['slideshow', 'illustrated', 'hook_video'] as const;
export const contentStatuses = ['queued', 'running', 'ready', 'failed'] as const;
export const approvalStatuses = ['pending', 'approved', 'rejected'] as const;
/** `automation`: made by a firing. `api`: made by `POST /content`. */
export const contentOrigins = ['api', 'automation'] as const;
/** Counts of content stop here, so that they cost the same in every account. */
export const contentCountMax = 10_000;

/** How one slide is drawn. What is absent, the template decides. */
const SlideLook = record('SlideLook', {
  pictureId: idField.optional(),
  position: z.enum(slidePositions).optional(),
});

export const SlideshowResult = record('SlideshowResult', {
  hook: textField,
  hookOptions: answerList(textField, 5),
  bodySlides: answerList(z.object({ text: textField, ...SlideLook.shape }), 60),
  ctaSoft: textField,
  ctaHard: textField,
  caption: textField,
  hashtags: answerList(answerText(100, '^#[^\\s#]+$'), 30),
  coverLook: SlideLook.optional().meta({
    description: 'The picture and position of the first slide, once edited.',
  }),
  closingLook: SlideLook.optional().meta({ description: 'The same of the closing slide.' }),
});
export type SlideshowResult = z.infer<typeof SlideshowResult>;

// The hook, 60 slides of an edit and the closing line; a post holds fewer.
export const slideImagesMax = 62;

export const SlideImage = record('SlideImage', {
  index: answerInteger(1, slideImagesMax).meta({ description: 'Counted from 1.' }),
  url: urlField,
  // Absent in events and in stored answers from before it existed.
  thumbnailUrl: urlField.optional().meta({
    description: 'A JPEG of 270 px width under a link like `url`. Absent in events.',
  }),
  width: count,
  height: count,
  bytes: count,
  contentType: answerText(64, '^image/(jpeg|webp)$'),
});
export type SlideImage = z.infer<typeof SlideImage>;

/** Who made a decision. `name` is the name at that time; that of a `reviewer`, who had a review link, is not proven. */
export const Decider = record('Decider', {
  kind: z.enum(['person', 'key', 'automation', 'reviewer']),
  id: idField,
  name: textField,
});
export type Decider = z.infer<typeof Decider>;

const Approval = record('Approval', {
  version: versionField,
  decision: z.enum(['approved', 'rejected']),
  decidedAt: timestamp,
  keyId: idField.nullable(),
  by: Decider,
  reason: answerText(500).nullable().meta({ description: 'Only of a rejection.' }),
});

const ChangesRequested = record('ChangesRequested', { reason: answerText(500), by: Decider, at: timestamp });
export type ChangesRequested = z.infer<typeof ChangesRequested>;

export const DeckWriter = record('DeckWriter', {
  kind: z.enum(['model', 'builtin', 'given']).meta({
    description:
      '`model`: a text model; `builtin`: the composer, which needs no network; `given`: the caller, in `brief.slides`, or with the template `picture`.',
  }),
  name: answerText(200).meta({ description: 'The name of the model, `composer` or `given`.' }),
  repaired: z.boolean().meta({
    description: 'A part of the first answer broke a rule and was written again or filled by rule.',
  }),
  because: answerText(300).nullable().meta({
    description:
      'Why this hook, or this structure, in one line: what earlier decks of the app brought. Null where their numbers did not choose.',
  }),
});
export type DeckWriter = z.infer<typeof DeckWriter>;

const Freshness = record('Freshness', {
  nearestContentId: idField,
  overlap: z.number().min(0).max(1).meta({
    description:
      'Of the hook and the body slides, the part that the nearest deck has too, with two decimals.',
  }),
});
export type Freshness = z.infer<typeof Freshness>;

export const contentNotices = ['generation_not_wired', 'topic_needs_model', 'listing_too_short'] as const;

/** The code of a firing's failed deck that would repeat an earlier one of its automation; trying again does not help. */
export const nothingNew = 'nothing_new';

export const Content = record('Content', {
  ...recordFields,
  appId: idField,
  type: z.enum(contentTypes),
  status: z.enum(contentStatuses),
  approvalStatus: z.enum(approvalStatuses),
  result: SlideshowResult.nullable(),
  costCharged: count,
  version: versionField,
  brief: StoredBrief.nullable(),
  writer: DeckWriter.nullable().meta({
    description: 'Who wrote the texts; `null` until they are written, and where writing failed.',
  }),
  freshness: Freshness.nullable().meta({
    description:
      'The deck of the app, of the newest 100 in 90 days, that has most in common with this one; `null` without an earlier one. Found when the texts are written or edited.',
  }),
  templateId: z.enum(templateIds).nullable().meta({
    description: 'What the slide images were drawn with; null when there are none.',
  }),
  images: answerList(SlideImage, slideImagesMax),
  approval: Approval.nullable(),
  changesRequested: ChangesRequested.nullable().meta({
    description:
      'Somebody who may approve asked for another version: this one is out of the approval queue. Null otherwise.',
  }),
  experimentId: idField.nullable().meta({
    description: 'The experiment with hooks that it takes part in.',
  }),
  origin: z.object({ automationId: idField, firingId: idField }).nullable(),
  notice: z.enum(contentNotices).optional().meta({
    description:
      '`generation_not_wired`: this type is not generated. `topic_needs_model`: the deck is about the app, since only a text model writes about a topic. `listing_too_short`: the listing has fewer lines without prices, claims and faulty sentences than the deck has slides, so the deck is shorter; neutral lines fill it where the brief names a number.',
  }),
  error: z.object({ code: codeField, message: textField }).optional(),
  ...ownFields,
});
export type Content = z.infer<typeof Content>;

export const CreateContentBody = body({
  appId: idText(),
  type: oneOf(contentTypes),
  brief: Brief.optional(),
  ...ownFieldsInput,
}).meta({ id: 'CreateContent' });
export type CreateContentBody = z.infer<typeof CreateContentBody>;

const look = {
  pictureId: idText().optional().meta({
    description: 'A picture of the app, shown by a template that needs pictures. Default: in its order.',
  }),
  position: oneOf(slidePositions).optional().meta({
    description: 'Where the text stands. Default: the choice of the template.',
  }),
};

export const EditContentBody = body({
  hook: filledText(300).optional(),
  bodySlides: arrayOf(body({ text: text(0, 500), ...look }), 1, 60, 'slides')
    .optional()
    .meta({
      description: 'A text is blank only with the template `picture`.',
    }),
  coverLook: body(look).optional().meta({ description: 'The picture and position of the first slide.' }),
  closingLook: body(look).optional().meta({ description: 'The same of the closing slide.' }),
  templateId: oneOf(templateIds).optional().meta({ description: 'Draws the deck with this template.' }),
  ctaSoft: filledText(500).optional(),
  ctaHard: filledText(500).optional(),
  caption: text(0, 2200).optional(),
  hashtags: hashtagsInput.optional(),
})
  .refine(value => Object.keys(value).length > 0, {
    error:
      'must have at least one of hook, bodySlides, coverLook, closingLook, templateId, ctaSoft, ctaHard, caption, hashtags',
  })
  .meta({ id: 'EditContent', minProperties: 1 });
export type EditContentBody = z.infer<typeof EditContentBody>;

const reviewedVersion = integer(1, 1_000_000)
  .optional()
  .meta({ description: 'The version that was looked at. Required where the approval policy says so.' });
const reviewedStatus = oneOf(approvalStatuses).optional().meta({
  description:
    'The approval status that was looked at. 409 `not_ready` if somebody has decided otherwise since; without it, the last decision wins.',
});
export const ReviewBody = body({ version: reviewedVersion, approvalStatus: reviewedStatus }).meta({
  id: 'Review',
});
export const RejectBody = body({
  version: reviewedVersion,
  approvalStatus: reviewedStatus,
  reason: filledText(500).optional().meta({ description: 'Shown in `approval` and in events.' }),
}).meta({ id: 'Rejection' });

export const RequestChangesBody = body({
  ...RejectBody.shape,
  reason: filledText(500).meta({ description: 'What the next version must have. Writers are told.' }),
}).meta({ id: 'RequestChanges' });

export const PostProblem = record('PostProblem', {
  code: codeField,
  slide: count.nullable(),
  measured: z.union([z.number(), textField]).nullable(),
  limit: z.union([z.number(), textField]).nullable(),
  message: textField,
});
export type PostProblem = z.infer<typeof PostProblem>;
export const Preflight = record('Preflight', {
  postable: z.boolean(),
  problems: answerList(PostProblem, 1000),
});

const exampleResult: SlideshowResult = {
  hook: '5 habits that changed my mornings',
  hookOptions: ['5 habits that changed my mornings', 'Mornings got easier', 'Start before you are ready'],
  bodySlides: [{ text: 'Put the phone in another room' }],
  ctaSoft: 'I keep mine in Pebblo',
  ctaHard: 'Get Pebblo and place your first stone',
  caption: 'Small wins, every morning.',
  hashtags: ['#habits', '#morningroutine'],
};
const exampleImage: SlideImage = {
  index: 1,
  url: 'http://localhost:8080/media/images/image_01k9ztqe3a6d9g2j5m8p1s4v7y?e=1795424400&s=3q2r',
  thumbnailUrl:
    'http://localhost:8080/media/images/image_01k9ztqe3a6d9g2j5m8p1s4v7y?e=1795424400&s=3q2r&w=270',
  width: 1080,
  height: 1920,
  bytes: 184_320,
  contentType: 'image/jpeg',
};
const exampleContent: Content = {
  id: exampleIds.content,
  ...newRecord,
  ...exampleOwnFields,
  appId: exampleIds.app,
  type: 'slideshow',
  status: 'ready',
  approvalStatus: 'pending',
  result: exampleResult,
  costCharged: 1,
  version: 1,
  brief: exampleBrief,
  writer: { kind: 'model', name: 'gpt-5-mini', repaired: false, because: null },
  freshness: { nearestContentId: 'content_01k9zsx2k7m4p9r3t6w1y5b8dh', overlap: 0.17 },
  templateId: 'quote-card',
  images: [exampleImage, { ...exampleImage, index: 2 }, { ...exampleImage, index: 3 }],
  approval: null,
  changesRequested: null,
  experimentId: null,
  origin: null,
};
const exampleEdit = {
  ...exampleContent,
  updatedAt: laterTime,
  version: 2,
  result: { ...exampleResult, caption: 'Small wins, every single morning.' },
};

export function exampleDecision(decision: 'approved' | 'rejected'): Content {
  return {
    ...exampleContent,
    updatedAt: laterTime,
    approvalStatus: decision,
    approval: {
      version: 1,
      decision,
      decidedAt: laterTime,
      keyId: exampleIds.key,
      by: { kind: 'key', id: exampleIds.key, name: 'Reviewer' },
      reason: decision === 'rejected' ? 'The hook promises five habits, the deck has four.' : null,
    },
  };
}

export const exampleChanges: ChangesRequested = {
  reason: 'Name the app on the first slide.',
  by: { kind: 'key', id: exampleIds.key, name: 'Reviewer' },
  at: laterTime,
};

export const createContent = contentRoute('POST /content', {
  scopes: ['content:write'],
  summary: 'Generate a slideshow (1 credit, charged only on success)',
  description:
    'Responds when the slideshow is `ready` or `failed`, within 8 s unless a text model is given more time. Only with a `templateId` slide images are rendered, which posting requires. `illustrated` and `hook_video` return 201 with `status: "failed"` and a notice, and cost nothing.',
  body: CreateContentBody,
  status: 201,
  response: single(Content),
  errors: ['not_found', 'insufficient_credits', 'missing_idempotency_key'],
  limit: 'content',
  idempotency: 'required',
  example: {
    body: { appId: exampleIds.app, type: 'slideshow', brief: exampleBrief },
    response: { data: exampleContent },
  },
});

export const listContent = contentRoute('GET /content', {
  scopes: ['content:read'],
  summary: 'List content, newest first',
  description:
    'Each row is complete, with its texts and its slide images. The filters can be combined. `approvalStatus=pending` returns what waits for a decision: only content that is `ready` and without `changesRequested`, unless that is asked for.',
  query: body({
    ...pageQuery,
    status: statusFilter(contentStatuses),
    approvalStatus: oneOf(approvalStatuses).optional().meta({
      description:
        'Return only those with this approval; `pending` means that a decision can be taken, so only `ready` ones.',
    }),
    scheduled: oneOf(['true', 'false']).optional().meta({
      description:
        'Return only those with a schedule that was not withdrawn (`true`), or without one (`false`). A new schedule counts within a moment.',
    }),
    origin: oneOf(contentOrigins).optional().meta({
      description: 'Return only those that an automation (`automation`) or a request (`api`) made.',
    }),
    changesRequested: oneOf(['true', 'false']).optional().meta({
      description:
        'Return only those of which another version was asked for (`true`), or all others (`false`).',
    }),
    appId: idFilter('app'),
    ids: idsFilter(),
    q: filledText(200).optional().meta({
      description: 'Return only those whose texts have these words, or words that begin so, in any order.',
    }),
    externalId: externalIdFilter,
    createdFrom: timestampInput()
      .optional()
      .meta({ description: 'Return only those made at this time or later.' }),
    createdTo: timestampInput().optional().meta({ description: 'Return only those made before this time.' }),
  }),
  response: list(Content),
  example: { response: listExample(exampleContent) },
});

const boundedCount = answerInteger(0, contentCountMax);
export const ContentCounts = record('ContentCounts', {
  pending: boundedCount.meta({ description: '`ready`, not decided and without `changesRequested`.' }),
  changesRequested: boundedCount,
  approved: boundedCount,
  rejected: boundedCount,
  failed: boundedCount,
  toSchedule: boundedCount.meta({ description: '`approved`, with slides and without a schedule.' }),
});
export type ContentCounts = z.infer<typeof ContentCounts>;

export const countContent = contentRoute('GET /content/counts', {
  scopes: ['content:read'],
  summary: 'Count content by approval',
  description:
    'Each number is exact up to 10,000; 10,000 means that or more. `pending` counts what `GET /content?approvalStatus=pending` lists.',
  response: single(ContentCounts),
  example: {
    response: {
      data: { pending: 3, changesRequested: 1, approved: 41, rejected: 5, failed: 1, toSchedule: 2 },
    },
  },
});

export const getContent = contentRoute('GET /content/{id}', {
  scopes: ['content:read'],
  summary: 'Get one content',
  description: 'The links in `images` are signed and expire after 48 h.',
  params: idParams('content', exampleIds.content),
  response: single(Content),
  example: { response: { data: exampleContent } },
});

export const getContentArchive = contentRoute('GET /content/{id}/archive', {
  scopes: ['content:read'],
  summary: 'Download the slides and texts of a content as a ZIP file',
  description:
    '`01.jpg` and so on, in the order of the slides, and `caption.txt` with hook, caption and hashtags.',
  params: idParams('content', exampleIds.content),
  produces: 'application/zip',
  errors: ['not_found', 'no_images', 'slide_missing'],
  example: {},
});

export const editContent = contentRoute('PATCH /content/{id}', {
  scopes: ['content:write'],
  summary: 'Edit texts, pictures, positions, order or template; renders again and needs a new approval',
  description:
    'Each field that is sent replaces the former value: `bodySlides` all slides between the first and the closing one, in the new order, with their pictures and positions. Increments `version`, renders again and resets `approvalStatus` to `pending`. Costs nothing. A pending schedule is held until the new version is approved. `?dryRun=true` returns the record as it would be, with images whose links are valid for 10 minutes, and changes nothing.',
  params: idParams('content', exampleIds.content),
  query: body({
    dryRun: oneOf(['true', 'false'])
      .optional()
      .meta({ description: '`true`: draw the slides and change nothing.' }),
  }),
  body: EditContentBody,
  response: single(Content),
  errors: ['not_found', 'not_ready', 'already_sending', 'already_sent'],
  example: { body: { caption: exampleEdit.result.caption }, response: { data: exampleEdit } },
});

export const duplicateContent = contentRoute('POST /content/{id}/duplicate', {
  scopes: ['content:write'],
  summary: 'Duplicate a slideshow (1 credit)',
  description:
    'Makes a content with the texts, slides and `writer` of a `ready` one, whatever became of that. It is `pending` at version 1, and belongs to no automation.',
  params: idParams('content', exampleIds.content),
  status: 201,
  response: single(Content),
  errors: ['not_found', 'not_ready', 'insufficient_credits', 'missing_idempotency_key'],
  idempotency: 'required',
  example: { response: { data: exampleContent } },
});

export const approveContent = contentRoute('POST /content/{id}/approve', {
  scopes: ['content:approve'],
  summary: 'Approve the current version',
  description:
    'If `version` is given and is not the current one: 409 `not_ready`. The same if `approvalStatus` is given and somebody has decided otherwise since. The approval policy of the workspace may ask for a person, for `version`, or for somebody who neither made nor last edited the version.',
  params: idParams('content', exampleIds.content),
  body: ReviewBody,
  bodyOptional: true,
  response: single(Content),
  errors: ['not_found', 'not_ready', 'already_sending', 'already_sent'],
  example: { body: { version: 1 }, response: { data: exampleDecision('approved') } },
});

export const rejectContent = contentRoute('POST /content/{id}/reject', {
  ...approveContent,
  summary: 'Reject the current version',
  description: 'As approving, with an optional `reason`. The same decision again changes nothing.',
  body: RejectBody,
  example: {
    body: { version: 1, reason: 'The hook promises five habits, the deck has four.' },
    response: { data: exampleDecision('rejected') },
  },
});

export const requestChanges = contentRoute('POST /content/{id}/request-changes', {
  scopes: ['content:approve'],
  params: idParams('content', exampleIds.content),
  response: single(Content),
  summary: 'Ask for another version of a pending content',
  description:
    'The content leaves the approval queue until its next version: `approvalStatus` stays `pending`, and `changesRequested` says why. A later request replaces the reason, and a decision ends it. 409 `not_ready` for what is approved or rejected. Of the approval policy, `approvers` and `requireVersion` apply.',
  body: RequestChangesBody,
  errors: ['not_found', 'not_ready'],
  example: {
    body: { version: 1, reason: exampleChanges.reason },
    response: { data: { ...exampleContent, updatedAt: laterTime, changesRequested: exampleChanges } },
  },
});

export const remixContent = contentRoute('POST /content/{id}/remix', {
  scopes: ['content:write'],
  summary: 'Always 501 not_implemented',
  description: 'Not implemented: 501 for every id and body.',
  // Nothing reads the id, and no body is declared (D-41).
  params: idParams('content', exampleIds.content),
  response: single(Content),
  errors: ['not_implemented'],
  idempotency: 'none',
  example: { response: { data: exampleContent } },
});

export const preflightContent = schedulingRoute('GET /content/{id}/preflight', {
  scopes: ['content:read'],
  summary: 'Check what would prevent this content from being posted',
  description:
    'Runs the checks of `POST /schedules` without creating a schedule. Without `tiktokAccountId` only the deck is checked.',
  params: idParams('content', exampleIds.content),
  query: body({
    tiktokAccountId: idText()
      .optional()
      .meta({ description: 'Also check against what this account allows.' }),
    mode: oneOf(scheduleModes)
      .optional()
      .meta({ description: 'Check for this mode. Default `draft`, for a phone `phone`.' }),
    privacyLevel: text(0, 64).optional().meta({ description: 'Check for this level.' }),
  }),
  response: single(Preflight),
  waitsOutside: 'always',
  example: {
    response: {
      data: {
        postable: false,
        problems: [
          {
            code: 'not_approved',
            slide: null,
            measured: null,
            limit: null,
            message: 'This content is not approved; approve it first.',
          },
        ],
      },
    },
  },
});

export const Job = record('Job', {
  ...recordFields,
  status: z.enum(contentStatuses),
  resourceType: z.literal('content'),
  resourceId: idField,
  cost: count,
  error: z.object({ code: codeField, message: textField }).nullable(),
});
export type Job = z.infer<typeof Job>;

export const getJob = contentRoute('GET /jobs/{id}', {
  scopes: ['content:read'],
  summary: 'Get the job of a content (same id)',
  description: 'A job is created with its content and has the same status. `cost` is what was charged.',
  params: idParams('job', exampleIds.content),
  response: single(Job),
  example: {
    response: {
      data: {
        id: exampleIds.content,
        ...newRecord,
        status: 'ready',
        resourceType: 'content',
        resourceId: exampleIds.content,
        cost: 1,
        error: null,
      },
    },
  },
});

/** A slide image in an event: an id, never a link. Links are created when the object is delivered. */
export const EventImage = z.object({
  imageId: z.string(),
  index: z.int(),
  width: z.int(),
  height: z.int(),
  bytes: z.int(),
  contentType: z.string(),
});
export type EventImage = z.infer<typeof EventImage>;

/** The Content at the time of the event, with image ids instead of links. */
export const EventContent = Content.omit({ images: true }).extend({ images: z.array(EventImage) });
export type EventContent = z.infer<typeof EventContent>;
