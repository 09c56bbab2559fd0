/** The public events as callers receive them, by webhook and in the feed. */
import { z } from 'zod';
import { Firing } from '../contracts/automations.ts';
import { Content, exampleDecision, Job, requestChanges } from '../contracts/content.ts';
import { exampleIds, exampleTime } from '../contracts/examples.ts';
import { Account, Schedule } from '../contracts/schedules.ts';
import { FeedEvent, type PublicEventType } from '../contracts/webhooks.ts';
import { accountConnected, accountNeedsReauth } from './accounts.ts';
import { automationSkipped } from './automation.ts';
import {
  contentApproved,
  contentChangesRequested,
  contentRejected,
  creditsLow,
  jobCompleted,
} from './content.ts';
import type { EventDefinition } from './envelope.ts';
import { scheduleDue, scheduleFailed, schedulePublished, scheduleSentToDrafts } from './scheduling.ts';

/** @property payload the event whole, with the job, the content, the schedule, the account or the firing as `data` */
export type PublicEvent = {
  type: PublicEventType;
  about: string;
  payload: z.ZodType<FeedEvent>;
  example: FeedEvent;
};

/** All that an endpoint or key without `content:read` gets of a content (D-68). */
const ContentReference = z.object({ id: Content.shape.id }).meta({ id: 'ContentReference' });
const ContentOrReference = z.union([Content, ContentReference]);

function publicEvent(
  { type, about }: EventDefinition,
  name: string,
  data: z.ZodType<Record<string, unknown>>,
  example: Record<string, unknown>,
): PublicEvent {
  return {
    type: type as PublicEventType,
    about,
    payload: FeedEvent.extend({ type: z.literal(type), data }).meta({ id: name }),
    example: {
      id: exampleIds.event,
      type,
      timestamp: exampleTime,
      createdAt: exampleTime,
      sequence: 2,
      data: example,
    },
  };
}

/** All that an endpoint or key without `schedules:read` gets of a schedule (D-68). */
const ScheduleReference = Schedule.pick({ id: true, contentId: true, status: true }).meta({
  id: 'ScheduleReference',
});
const ScheduleOrReference = z.union([Schedule, ScheduleReference]);

const ofSchedule = (definition: EventDefinition<typeof scheduleFailed.data>, name: string): PublicEvent =>
  publicEvent(definition, name, ScheduleOrReference, definition.example.schedule);

export const publicEvents: readonly PublicEvent[] = [
  publicEvent(jobCompleted, 'JobCompletedEvent', Job, jobCompleted.example.job),
  publicEvent(contentApproved, 'ContentApprovedEvent', ContentOrReference, exampleDecision('approved')),
  publicEvent(contentRejected, 'ContentRejectedEvent', ContentOrReference, exampleDecision('rejected')),
  ofSchedule(scheduleSentToDrafts, 'ScheduleSentToDraftsEvent'),
  ofSchedule(schedulePublished, 'SchedulePublishedEvent'),
  ofSchedule(scheduleFailed, 'ScheduleFailedEvent'),
  publicEvent(automationSkipped, 'AutomationSkippedEvent', Firing, automationSkipped.example.firing),
  ofSchedule(scheduleDue, 'ScheduleDueEvent'),
  publicEvent(
    contentChangesRequested,
    'ContentChangesRequestedEvent',
    ContentOrReference,
    requestChanges.example.response.data,
  ),
  publicEvent(accountConnected, 'AccountConnectedEvent', Account, accountConnected.example.account),
  publicEvent(accountNeedsReauth, 'AccountNeedsReauthEvent', Account, accountNeedsReauth.example.account),
  publicEvent(creditsLow, 'CreditsLowEvent', creditsLow.data.pick({ level: true }), { level: 'low' }),
];
