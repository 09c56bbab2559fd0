/** Operator commands for numbers and their sources. */

/** Partitions of metric snapshots whose month ended by a given time: list or detach them. */
export { detachEndedPartitions, listEndedPartitions } from './collecting/queries-partitions.ts';
/** Tables that hold sealed secrets, for a rotation of the encryption keys. */
export { sealedStores } from './sources/queries-tokens.ts';
/** What a deletion removes of a workspace, table by table. */
export { deletionSteps } from './upkeep/queries.ts';
/** Invariants of the service's tables. */
export { analyticsInvariants as invariants } from './upkeep/queries-invariants.ts';
