import { z } from 'zod';
import { EventContent, Job } from '../contracts/content.ts';
import { defineEvent } from './envelope.ts';
import { exampleJob, exampleOrigin } from './examples.ts';

const Origin = z.object({ automationId: z.string(), firingId: z.string() }).nullable();

export const jobCompleted = defineEvent({
  type: 'job.completed',
  topic: 'content.jobs',
  about: 'A generation ended, ready or failed.',
  data: z.object({
    job: Job,
    origin: Origin,
    /** Why the content of an automation that approves automatically waits for a person. */
    waitsBecause: z.string().nullable(),
  }),
  example: { job: exampleJob, origin: exampleOrigin, waitsBecause: null },
});

export const creditsLow = defineEvent({
  type: 'credits.low',
  topic: 'content.jobs',
  about:
    'A charge brought the balance to a fifth of the last grant, rounded down (`low`), or to nothing (`none`). Each comes once until credits are granted again, and never with unlimited credits.',
  data: z.object({ level: z.enum(['low', 'none']), balance: z.number() }),
  example: { level: 'low', balance: 5 },
});

const Decided = z.object({
  content: EventContent,
  origin: Origin,
  /** How its texts are built. */
  archetype: z.string().nullable(),
  language: z.string().nullable(),
});

const exampleDecided = {
  content: {
    id: exampleJob.id,
    appId: 'product_01jd7r9c5mfw8s3k2n6q4t1vxe',
    type: 'slideshow' as const,
    status: 'ready' as const,
    approvalStatus: 'approved' as const,
    result: {
      hook: '5 habits small enough for a bad day',
      hookOptions: ['5 habits small enough for a bad day'],
      bodySlides: [{ text: 'Start with two minutes. The rest is a bonus.' }],
      ctaSoft: 'Pebblo keeps the tiny version ready.',
      ctaHard: 'Try the tiny version in Pebblo.',
      caption: 'Small enough to do tired.',
      hashtags: ['#habits'],
    },
    costCharged: 1,
    version: 1,
    brief: { templateId: 'quote-card' as const },
    freshness: null,
    writer: { kind: 'builtin' as const, name: 'composer', repaired: false, because: null },
    templateId: 'quote-card' as const,
    images: [
      {
        imageId: 'image_01jd7r9c5mfw8s3k2n6q4t1vxf',
        index: 1,
        width: 1080,
        height: 1920,
        bytes: 90_210,
        contentType: 'image/jpeg',
      },
    ],
    approval: {
      version: 1,
      decision: 'approved' as const,
      decidedAt: exampleJob.createdAt,
      keyId: 'key_01jd7r9c5mfw8s3k2n6q4t1vxg',
      by: { kind: 'key' as const, id: 'key_01jd7r9c5mfw8s3k2n6q4t1vxg', name: 'Reviewer' },
      reason: null,
    },
    changesRequested: null,
    experimentId: null,
    origin: exampleOrigin,
    externalId: null,
    metadata: null,
    createdAt: exampleJob.createdAt,
    updatedAt: exampleJob.updatedAt,
  },
  origin: exampleOrigin,
  archetype: 'listicle',
  language: 'en',
};

export const contentEdited = defineEvent({
  type: 'content.edited',
  topic: 'content.approvals',
  about:
    'A content that was decided, or was to be changed, was edited: its new version waits for a decision.',
  data: z.object({ version: z.int() }),
  example: { version: 2 },
});

export const contentApproved = defineEvent({
  type: 'content.approved',
  topic: 'content.approvals',
  about: 'A content was approved, by a person or by its automation.',
  data: Decided,
  example: exampleDecided,
});

export const contentRejected = defineEvent({
  type: 'content.rejected',
  topic: 'content.approvals',
  about: 'A content was rejected. `content.approval` says by whom and, if given, why.',
  data: Decided,
  example: {
    ...exampleDecided,
    content: {
      ...exampleDecided.content,
      approvalStatus: 'rejected',
      approval: {
        ...exampleDecided.content.approval,
        decision: 'rejected',
        reason: 'The hook promises five habits.',
      },
    },
  },
});

export const experimentStarted = defineEvent({
  type: 'experiment.started',
  topic: 'content.approvals',
  about: 'Decks were named whose hooks are compared, before any of them is posted.',
  data: z.object({
    readAfterHours: z.int(),
    appId: z.string(),
    decks: z.array(z.object({ contentId: z.string(), version: z.int(), hook: z.string() })),
  }),
  example: {
    readAfterHours: 48,
    appId: exampleDecided.content.appId,
    decks: [{ contentId: exampleJob.id, version: 1, hook: exampleDecided.content.result.hook }],
  },
});

export const contentChangesRequested = defineEvent({
  type: 'content.changes_requested',
  topic: 'content.approvals',
  about: 'Another version of a content was asked for. `content.changesRequested` says by whom and why.',
  data: Decided,
  example: {
    ...exampleDecided,
    content: {
      ...exampleDecided.content,
      approvalStatus: 'pending',
      approval: null,
      changesRequested: {
        reason: 'Name the app on the first slide.',
        by: exampleDecided.content.approval.by,
        at: exampleJob.createdAt,
      },
    },
  },
});
