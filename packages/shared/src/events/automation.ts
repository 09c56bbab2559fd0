import { z } from 'zod';
import { exampleSkippedFiring, Firing } from '../contracts/automations.ts';
import { Brief } from '../contracts/brief.ts';
import { privacyLevels } from '../contracts/schedules.ts';
import { defineEvent } from './envelope.ts';
import { exampleOrigin, exampleSchedule } from './examples.ts';

const topic = 'automation.firings' as const;

export const automationFired = defineEvent({
  type: 'automation.fired',
  topic,
  about: 'A slot of an automation fired; content will be generated for it.',
  data: z.object({
    automationId: z.string(),
    firingId: z.string(),
    appId: z.string(),
    /** As stored on the automation; without a template, content chooses it as for `auto`. */
    brief: Brief.nullable(),
    /** `unconfirmed`: `auto`, but nobody except its author has confirmed the brief, as the policy asks. */
    approvalMode: z.enum(['auto', 'manual', 'unconfirmed']),
    /** Who last changed the brief. Absent where that is not known. */
    authorId: z.string().optional(),
    slot: z.string(),
  }),
  example: {
    ...exampleOrigin,
    appId: 'product_01jd7r9c5mfw8s3k2n6q4t1vxe',
    brief: { archetype: 'listicle' },
    approvalMode: 'manual',
    slot: '2026-11-21T09:00:00.000Z',
  },
});

export const automationSkipped = defineEvent({
  type: 'automation.skipped',
  topic,
  about:
    'A firing made no deck: its slot was missed, for example, or the deck would have repeated one of the last 60 days. `reason` says why. Of slots missed in a row only the newest is told.',
  data: z.object({
    firing: Firing,
    /** Whether its deck would have repeated another, and none has since the last that was made. */
    firstRepeat: z.boolean(),
  }),
  example: { firing: exampleSkippedFiring, firstRepeat: true },
});

export const automationScheduleRequested = defineEvent({
  type: 'automation.schedule_requested',
  topic,
  about: 'The content of a firing is approved; it will be scheduled.',
  data: z.object({
    automationId: z.string(),
    firingId: z.string(),
    contentId: z.string(),
    tiktokAccountId: z.string(),
    /** The later of the approval and the slot. */
    scheduledFor: z.string(),
    mode: z.enum(['draft', 'publish']),
    privacyLevel: z.enum(privacyLevels).nullable(),
    /** The keys that made or changed the automation. */
    keyIds: z.array(z.string()),
  }),
  example: {
    ...exampleOrigin,
    contentId: exampleSchedule.contentId,
    tiktokAccountId: exampleSchedule.tiktokAccountId,
    scheduledFor: '2026-11-21T09:00:00.000Z',
    mode: 'draft',
    privacyLevel: null,
    keyIds: ['key_01jd7r9c5mfw8s3k2n6q4t1vxg'],
  },
});
