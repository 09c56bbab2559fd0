/** Every event type of the product, the source of the reference. */
import { accountConnected, accountDisconnected, accountMeasured, accountNeedsReauth } from './accounts.ts';
import { appLearned } from './analytics.ts';
import { automationFired, automationScheduleRequested, automationSkipped } from './automation.ts';
import {
  contentApproved,
  contentChangesRequested,
  contentEdited,
  contentRejected,
  creditsLow,
  experimentStarted,
  jobCompleted,
} from './content.ts';
import type { EventDefinition } from './envelope.ts';
import {
  scheduleCreated,
  scheduleDeleted,
  scheduleDue,
  scheduleFailed,
  schedulePublished,
  scheduleRejected,
  scheduleRequeued,
  scheduleSentToDrafts,
} from './scheduling.ts';
import { webhookSecretRotated } from './webhooks.ts';

export const allEvents: readonly EventDefinition[] = [
  jobCompleted,
  contentApproved,
  contentRejected,
  contentChangesRequested,
  contentEdited,
  experimentStarted,
  creditsLow,
  scheduleCreated,
  scheduleRejected,
  scheduleDeleted,
  scheduleRequeued,
  scheduleDue,
  scheduleSentToDrafts,
  schedulePublished,
  scheduleFailed,
  accountConnected,
  accountNeedsReauth,
  accountDisconnected,
  accountMeasured,
  automationFired,
  automationSkipped,
  automationScheduleRequested,
  webhookSecretRotated,
  appLearned,
];
