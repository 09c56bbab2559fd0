/** Operator commands for schedules, accounts and the sending of posts. */

/** Tables that hold sealed secrets, for a rotation of the encryption keys. */
export { sealedStores } from './accounts/queries-tokens.ts';
/** Pauses and resumes all sending. */
export { pauseSending, resumeSending } from './pauses/pause.ts';
/** After a restore: closes or keeps back what may have been posted since the backup, or lets it go out. */
export { closeAfterRestore, releaseAllKeptBack } from './restore/close-after.ts';
/** What the bus knows of schedules beyond a database that went back. */
export { type Evidence, readEvidence } from './restore/evidence.ts';
/** A schedule of any account, with its history. */
export { findScheduleById } from './schedules/queries.ts';
export { listTimeline } from './schedules/queries-timeline.ts';
export type { ScheduleRow } from './schedules/record.ts';
/** What a deletion removes of a workspace, table by table, and the invariants of the tables. */
export { deletionSteps, schedulingInvariants as invariants } from './upkeep/queries.ts';
