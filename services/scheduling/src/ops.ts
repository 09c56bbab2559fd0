/** Operator commands for schedules, accounts and the sending of posts. */

/** After a restore: closes or keeps back what may have been posted since the backup, or lets it go out. */
export { closeAfterRestore, releaseAllKeptBack } from './actions/close-after-restore.ts';
/** Pauses and resumes all sending. */
export { pauseSending, resumeSending } from './actions/pause-sending.ts';
/** What the bus knows of schedules beyond a database that went back. */
export { type Evidence, readEvidence } from './actions/read-evidence.ts';
/** Tables that hold sealed secrets, for a rotation of the encryption keys. */
export { sealedStores } from './queries/refresh-lease.ts';
/** A schedule of any account, with its history. */
export { findScheduleById } from './queries/schedules.ts';
export { listTimeline } from './queries/timeline.ts';
/** What a deletion removes of a workspace, table by table, and the invariants of the tables. */
export { deletionSteps, schedulingInvariants as invariants } from './queries/upkeep.ts';
export type { ScheduleRow } from './records/schedule.ts';
