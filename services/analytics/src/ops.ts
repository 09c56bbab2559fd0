/** Partitions of metric snapshots whose month ended by a given time: list or detach them. */
export { detachEndedPartitions, listEndedPartitions } from './collecting/queries-snapshots.ts';
/** Tables that hold sealed secrets, for a rotation of the encryption keys. */
export { sealedStores } from './sources/queries.ts';
/** What a deletion removes of a workspace, table by table, and the invariants of the tables. */
export { analyticsInvariants as invariants, deletionSteps } from './upkeep/queries.ts';
