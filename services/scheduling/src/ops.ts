/** Operator commands for schedules, accounts and the sending of posts. */

/** After a restore: closes or keeps back what may have been posted since the backup, and pauses sending. */
export { closeAfterRestore } from './actions/close-after-restore.ts';
/** Pauses and resumes all sending. */
export { pauseSending, resumeSending } from './actions/pause-sending.ts';
/** What the bus knows of schedules beyond a database that went back. */
export { type Evidence, readEvidence } from './actions/read-evidence.ts';
/** Lets go out what a restore keeps back. */
export { releaseAllKeptBack } from './actions/release-kept-back.ts';
/** What a deletion removes of a workspace, table by table. */
export { deletionSteps } from './queries/deletion.ts';
/** Invariants of the service's tables. */
export { schedulingInvariants as invariants } from './queries/invariants.ts';
/** A schedule of any account, with its history. */
export { findScheduleById } from './queries/schedules.ts';
/** Tables that hold sealed secrets, for a rotation of the encryption keys. */
export { sealedStores } from './queries/sealed-tokens.ts';
export { listTimeline } from './queries/timeline.ts';
export type { ScheduleRow } from './records/schedule.ts';
