import { z } from 'zod';
import { Schedule } from '../contracts/schedules.ts';
import { defineEvent } from './envelope.ts';
import { exampleOrigin, exampleSchedule } from './examples.ts';

const OfSchedule = z.object({
  schedule: Schedule,
  /** The firing that requested it, or null. */
  firingId: z.string().nullable(),
});

const topic = 'scheduling.schedules' as const;

export const scheduleCreated = defineEvent({
  type: 'schedule.created',
  topic,
  about: 'A schedule was written and waits.',
  data: OfSchedule,
  example: {
    schedule: { ...exampleSchedule, status: 'pending', outcome: null, sentAt: null },
    firingId: null,
  },
});

export const scheduleRejected = defineEvent({
  type: 'schedule.rejected',
  topic,
  about:
    "An automation's request to schedule was refused; the code is the one POST /schedules would answer, or already_sent where the content was posted to the account before.",
  data: z.object({
    firingId: z.string(),
    automationId: z.string(),
    contentId: z.string(),
    code: z.string(),
    message: z.string(),
  }),
  example: {
    ...exampleOrigin,
    contentId: exampleSchedule.contentId,
    code: 'account_needs_reauth',
    message: 'The platform account needs a new sign-in at the platform; connect it again.',
  },
});

export const scheduleDeleted = defineEvent({
  type: 'schedule.deleted',
  topic,
  about: 'A waiting schedule was withdrawn.',
  data: OfSchedule,
  example: {
    schedule: { ...exampleSchedule, status: 'pending', outcome: null, sentAt: null },
    firingId: null,
  },
});

export const scheduleRequeued = defineEvent({
  type: 'schedule.requeued',
  topic,
  about:
    'The platform ended a call without a post, sending was paused before the call, a failed schedule was retried, or ' +
    'what was due on a phone was put off or edited: the schedule waits again.',
  data: OfSchedule,
  example: {
    schedule: { ...exampleSchedule, status: 'pending', outcome: null, sentAt: null },
    firingId: null,
  },
});

export const scheduleDue = defineEvent({
  type: 'schedule.due',
  topic,
  about: 'The time of a schedule of mode `phone` has come: it waits until somebody posts it and says so.',
  data: OfSchedule,
  example: {
    schedule: { ...exampleSchedule, status: 'due', mode: 'phone', outcome: null, sentAt: null },
    firingId: null,
  },
});

export const scheduleSentToDrafts = defineEvent({
  type: 'schedule.sent_to_drafts',
  topic,
  about: "A draft is in the creator's inbox at the platform.",
  data: OfSchedule,
  example: { schedule: exampleSchedule, firingId: null },
});

export const schedulePublished = defineEvent({
  type: 'schedule.published',
  topic,
  about: 'A direct post is on the platform.',
  data: OfSchedule,
  example: {
    schedule: {
      ...exampleSchedule,
      mode: 'publish',
      privacyLevel: 'SELF_ONLY',
      outcome: 'published',
      platformPostId: '7543210987654321098',
      platformPostUrl: 'https://www.tiktok.com/@maya.makes/photo/7543210987654321098',
    },
    firingId: exampleOrigin.firingId,
  },
});

export const scheduleFailed = defineEvent({
  type: 'schedule.failed',
  topic,
  about:
    'A schedule ended without a post, such as one that could not go out in time (`missed`), or with one that ' +
    'nobody can confirm (`outcome_unknown`). After the latter another end may follow, once the platform reports the ' +
    'result of the post: `schedule.published`, `schedule.sent_to_drafts`, or this event again with the reason why no ' +
    'post was made.',
  data: OfSchedule,
  example: {
    schedule: {
      ...exampleSchedule,
      status: 'failed',
      outcome: null,
      sentAt: null,
      failure: {
        code: 'tiktok_publish_failed',
        category: 'platform_rejected',
        message: 'TikTok refused the post because of its spam rules.',
        retryable: false,
        platformMessage: 'spam_risk',
      },
    },
    firingId: null,
  },
});
