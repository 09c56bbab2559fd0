/** What an operator does to numbers and their sources. */

/** What must always hold of the service's tables. */
export { analyticsInvariants as invariants } from './queries/invariants.ts';
/** Months of metric snapshots that ended by a time: lists them, or detaches their partitions. */
export { detachEndedPartitions, listEndedPartitions } from './queries/partitions.ts';
/** Tables that hold sealed secrets, for a rotation of the encryption keys. */
export { sealedStores } from './queries/sealed-tokens.ts';
