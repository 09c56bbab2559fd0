/** These tables hold sealed secrets, for a rotation of the encryption keys. */
export { sealedStores } from './accounts/queries-tokens.ts';
export { pauseSending, resumeSending } from './pauses/pause.ts';
/** A restore closes or keeps back what may have been posted since the backup, or lets it go out. */
export { closeAfterRestore, releaseAllKeptBack } from './restore/close-after.ts';
/** The bus may know of schedules beyond a database that went back. */
export { type Evidence, readEvidence } from './restore/evidence.ts';
export { findScheduleById } from './schedules/queries.ts';
export { listTimeline } from './schedules/queries-timeline.ts';
export type { ScheduleRow } from './schedules/record.ts';
/** A deletion removes these rows of a workspace, and these invariants hold. */
export { deletionSteps, schedulingInvariants as invariants } from './upkeep/queries.ts';
