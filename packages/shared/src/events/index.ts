export { accountConnected, accountDisconnected, accountMeasured, accountNeedsReauth } from './accounts.ts';
export { allEvents } from './all.ts';
export { appLearned } from './analytics.ts';
export { automationFired, automationScheduleRequested, automationSkipped } from './automation.ts';
export type { By } from './by.ts';
export {
  contentApproved,
  contentChangesRequested,
  contentEdited,
  contentRejected,
  creditsLow,
  experimentStarted,
  jobCompleted,
} from './content.ts';
export { type EventDefinition, fromHeaders, type HooklineEvent, toHeaders } from './envelope.ts';
export { exampleSchedule } from './examples.ts';
export { type PublicEvent, publicEvents } from './public.ts';
export {
  scheduleCreated,
  scheduleDeleted,
  scheduleDue,
  scheduleFailed,
  schedulePublished,
  scheduleRejected,
  scheduleRequeued,
  scheduleSentToDrafts,
} from './scheduling.ts';
export { type Topic, topics } from './topics.ts';
export { webhookSecretRotated } from './webhooks.ts';
