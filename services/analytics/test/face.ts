/** Internals that benchmarks and tests outside the service use. */
export { type Outcome, settleClaims } from '../src/actions/settle-claims.ts';
export { type Claim, claimYoutube } from '../src/queries/collections.ts';
export { ensureSnapshotPartition } from '../src/queries/partitions.ts';
