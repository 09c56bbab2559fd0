import { z } from 'zod';
import { IdParams } from './apps.ts';
import { list, single } from './envelope.ts';
import {
  arrayOf,
  body,
  filledText,
  idText,
  integer,
  oneOf,
  pageQuery,
  recordFields,
  text,
  timestamp,
} from './fields.ts';
import { defineRoute } from './route.ts';

export const contentTypes = ['slideshow', 'illustrated', 'hook_video'] as const;
export const archetypes = ['listicle', 'transformation', 'pov_results', 'authority', 'motivational'] as const;
export const ctaModes = ['soft', 'direct', 'none'] as const;
export const contentStatuses = ['queued', 'running', 'ready', 'failed'] as const;
export const approvalStatuses = ['pending', 'approved', 'rejected'] as const;

/** Input to content generation; also used by automations (API-2, D-35 to D-38 and D-48). */
export const Brief = body({
  topic: filledText(500).optional(),
  archetype: oneOf(archetypes).optional(),
  hook: filledText(300).optional().meta({ description: 'Used word for word instead of a generated one.' }),
  slideCount: integer(2, 10).optional().meta({
    description:
      'Total slides with the hook and the closing slide. Default 6, unless a hook promises a count.',
  }),
  ctaMode: oneOf(ctaModes).optional().meta({ description: 'Default `soft`.' }),
  templateId: oneOf(['quote-card'])
    .optional()
    .meta({ description: '`quote-card` gives finished slide images.' }),
}).meta({ id: 'Brief' });
export type Brief = z.infer<typeof Brief>;

export const SlideshowResult = z
  .object({
    hook: z.string(),
    hookOptions: z.array(z.string()),
    bodySlides: z.array(z.object({ text: z.string() })),
    ctaSoft: z.string(),
    ctaHard: z.string(),
    caption: z.string(),
    hashtags: z.array(z.string()),
  })
  .meta({ id: 'SlideshowResult' });
export type SlideshowResult = z.infer<typeof SlideshowResult>;

export const SlideImage = z
  .object({
    index: z.int().meta({ description: 'Counted from 1.' }),
    url: z.string(),
    width: z.int(),
    height: z.int(),
    bytes: z.int(),
    contentType: z.string(),
  })
  .meta({ id: 'SlideImage' });
export type SlideImage = z.infer<typeof SlideImage>;

export const Content = z
  .object({
    ...recordFields,
    appId: z.string(),
    type: z.enum(contentTypes),
    status: z.enum(contentStatuses),
    approvalStatus: z.enum(approvalStatuses),
    result: SlideshowResult.nullable(),
    costCharged: z.int(),
    version: z.int(),
    brief: Brief.nullable(),
    images: z.array(SlideImage),
    approval: z
      .object({
        version: z.int(),
        decision: z.enum(['approved', 'rejected']),
        decidedAt: timestamp(),
        keyId: z.string().nullable(),
      })
      .nullable(),
    origin: z.object({ automationId: z.string(), firingId: z.string() }).nullable(),
    notice: z.literal('generation_not_wired').optional(),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
  })
  .meta({ id: 'Content' });
export type Content = z.infer<typeof Content>;

export const CreateContentBody = body({
  appId: idText(),
  type: oneOf(contentTypes),
  brief: Brief.optional(),
}).meta({ id: 'CreateContent' });
export type CreateContentBody = z.infer<typeof CreateContentBody>;

export const EditContentBody = body({
  hook: filledText(300).optional(),
  bodySlides: arrayOf(body({ text: filledText(500) }), 1, 60, 'slides').optional(),
  ctaSoft: filledText(500).optional(),
  ctaHard: filledText(500).optional(),
  caption: text(0, 2200).optional(),
  hashtags: arrayOf(
    z
      .string({ error: 'must be a hashtag of 2 to 100 characters with a leading #' })
      .regex(/^#[^\s#]{1,99}$/u, 'must be a hashtag of 2 to 100 characters with a leading #'),
    0,
    30,
    'hashtags',
  ).optional(),
})
  .refine(value => Object.keys(value).length > 0, {
    error: 'must have at least one of hook, bodySlides, ctaSoft, ctaHard, caption, hashtags',
  })
  .meta({ id: 'EditContent', minProperties: 1 });
export type EditContentBody = z.infer<typeof EditContentBody>;

export const ReviewBody = body({ version: integer(1, 1_000_000).optional() }).meta({ id: 'Review' });

export const PostProblem = z
  .object({
    code: z.string(),
    slide: z.int().nullable(),
    measured: z.union([z.number(), z.string()]).nullable(),
    limit: z.union([z.number(), z.string()]).nullable(),
    message: z.string(),
  })
  .meta({ id: 'PostProblem' });
export type PostProblem = z.infer<typeof PostProblem>;

export const createContent = defineRoute({
  id: 'createContent',
  method: 'POST',
  path: '/content',
  service: 'content',
  auth: 'key',
  scopes: ['content:write'],
  summary: 'Generate a slideshow (1 credit, charged only on success)',
  body: CreateContentBody,
  status: 201,
  response: single(Content),
  errors: ['not_found', 'insufficient_credits', 'missing_idempotency_key'],
  limit: 'content',
  idempotency: 'required',
});

export const listContent = defineRoute({
  id: 'listContent',
  method: 'GET',
  path: '/content',
  service: 'content',
  auth: 'key',
  scopes: ['content:read'],
  summary: 'List content, newest first',
  query: body({ ...pageQuery, status: oneOf(contentStatuses).optional(), appId: idText().optional() }),
  status: 200,
  response: list(Content),
  errors: [],
});

export const getContent = defineRoute({
  id: 'getContent',
  method: 'GET',
  path: '/content/{id}',
  service: 'content',
  auth: 'key',
  scopes: ['content:read'],
  summary: 'Get one content',
  params: IdParams,
  status: 200,
  response: single(Content),
  errors: ['not_found'],
});

export const editContent = defineRoute({
  id: 'editContent',
  method: 'PATCH',
  path: '/content/{id}',
  service: 'content',
  auth: 'key',
  scopes: ['content:write'],
  summary: 'Edit the texts; renders again and asks for a new approval',
  params: IdParams,
  body: EditContentBody,
  status: 200,
  response: single(Content),
  errors: ['not_found', 'not_ready', 'already_sending', 'already_sent'],
});

export const approveContent = defineRoute({
  id: 'approveContent',
  method: 'POST',
  path: '/content/{id}/approve',
  service: 'content',
  auth: 'key',
  scopes: ['content:approve'],
  summary: 'Approve the current version',
  params: IdParams,
  body: ReviewBody,
  bodyOptional: true,
  status: 200,
  response: single(Content),
  errors: ['not_found', 'not_ready', 'already_sending', 'already_sent'],
  idempotency: 'honoured',
});

export const rejectContent = defineRoute({
  ...approveContent,
  id: 'rejectContent',
  path: '/content/{id}/reject',
  summary: 'Reject the current version',
  idempotency: 'honoured',
});

export const remixContent = defineRoute({
  id: 'remixContent',
  method: 'POST',
  path: '/content/{id}/remix',
  service: 'content',
  auth: 'key',
  scopes: ['content:write'],
  summary: 'Always 501 not_implemented',
  // Any id and any body: nothing of it is read (D-41).
  status: 200,
  response: single(Content),
  errors: ['not_implemented'],
  idempotency: 'none',
});

export const preflightContent = defineRoute({
  id: 'preflightContent',
  method: 'GET',
  path: '/content/{id}/preflight',
  service: 'scheduling',
  auth: 'key',
  scopes: ['content:read'],
  summary: 'Say what would stop this deck from being posted',
  params: IdParams,
  query: body({
    tiktokAccountId: idText().optional(),
    mode: oneOf(['draft', 'publish']).optional(),
    privacyLevel: text(0, 64).optional(),
  }),
  status: 200,
  response: single(z.object({ postable: z.boolean(), problems: z.array(PostProblem) })),
  errors: ['not_found'],
});

export const Job = z
  .object({
    ...recordFields,
    status: z.enum(contentStatuses),
    resourceType: z.literal('content'),
    resourceId: z.string(),
    cost: z.int(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  })
  .meta({ id: 'Job' });
export type Job = z.infer<typeof Job>;

export const getJob = defineRoute({
  id: 'getJob',
  method: 'GET',
  path: '/jobs/{id}',
  service: 'content',
  auth: 'key',
  scopes: ['content:read'],
  summary: 'Get the job of a content (same id)',
  params: IdParams,
  status: 200,
  response: single(Job),
  errors: ['not_found'],
});

export const Credits = z
  .object({
    balance: z.int(),
    granted: z.int(),
    spent: z.int(),
    dailyGeneration: z.object({ limit: z.int(), used: z.int(), resetsAt: timestamp() }),
  })
  .meta({ id: 'Credits' });
export type Credits = z.infer<typeof Credits>;

export const LedgerRow = z
  .object({
    ...recordFields,
    amount: z.int().meta({ description: 'Signed: grants are positive, charges negative.' }),
    reason: z.enum(['grant', 'generation']),
    contentId: z.string().nullable(),
    requestId: z.string().nullable(),
  })
  .meta({ id: 'LedgerRow' });
export type LedgerRow = z.infer<typeof LedgerRow>;

export const getCredits = defineRoute({
  id: 'getCredits',
  method: 'GET',
  path: '/credits',
  service: 'content',
  auth: 'key',
  scopes: ['credits:read'],
  summary: 'Get the credit balance',
  status: 200,
  response: single(Credits),
  errors: [],
});

export const listLedger = defineRoute({
  id: 'listLedger',
  method: 'GET',
  path: '/credits/ledger',
  service: 'content',
  auth: 'key',
  scopes: ['credits:read'],
  summary: 'List ledger rows, newest first',
  query: body({ ...pageQuery, contentId: idText().optional() }),
  status: 200,
  response: list(LedgerRow),
  errors: [],
});

/** A slide image as events carry it: an id, never a link. Links are made when the object is delivered. */
export const EventImage = z.object({
  imageId: z.string(),
  index: z.int(),
  width: z.int(),
  height: z.int(),
  bytes: z.int(),
  contentType: z.string(),
});
export type EventImage = z.infer<typeof EventImage>;

/** The Content of that moment with image ids in place of links. */
export const EventContent = Content.omit({ images: true }).extend({ images: z.array(EventImage) });
export type EventContent = z.infer<typeof EventContent>;
