/** Internals that benchmarks and tests outside the service use. */

export { type Claim, claimYoutube } from '../src/collecting/queries.ts';
export { ensureSnapshotPartition } from '../src/collecting/queries-snapshots.ts';
export { type Outcome, settleClaims } from '../src/collecting/settle.ts';
