/** Operator commands for numbers and their sources. */

/** What a deletion removes of a workspace, table by table. */
export { deletionSteps } from './queries/deletion.ts';
/** Invariants of the service's tables. */
export { analyticsInvariants as invariants } from './queries/invariants.ts';
/** Partitions of metric snapshots whose month ended by a given time: list or detach them. */
export { detachEndedPartitions, listEndedPartitions } from './queries/partitions.ts';
/** Tables that hold sealed secrets, for a rotation of the encryption keys. */
export { sealedStores } from './queries/sealed-tokens.ts';
