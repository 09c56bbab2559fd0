/** Internals that benchmarks and proofs outside the service use. */
export { type Claimed, claimDue } from '../src/sending/claim.ts';
export { createDueSends } from '../src/sending/due-sends.ts';
export { findOutlook, parkAll } from '../src/sending/queries.ts';
export { defaultTimings } from '../src/timings.ts';
export { reconcilePermits } from '../src/upkeep/reconcile-permits.ts';
