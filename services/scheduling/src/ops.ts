/** What an operator does to schedules, accounts and the sending of posts. */

/** After a restore: closes what may have been posted since the backup, and pauses sending. */
export { closeAfterRestore } from './actions/close-after-restore.ts';
/** Pauses all sending, and lets it go on. */
export { pauseSending, resumeSending } from './actions/pause-sending.ts';
/** What must always hold of the service's tables. */
export { schedulingInvariants as invariants } from './queries/invariants.ts';
/** A schedule, whoever owns it, and what happened to it. */
export { findScheduleById } from './queries/schedules.ts';
/** Tables that hold sealed secrets, for a rotation of the encryption keys. */
export { sealedStores } from './queries/sealed-tokens.ts';
export { listTimeline } from './queries/timeline.ts';
export type { ScheduleRow } from './records/schedule.ts';
