/** Internals that benchmarks and proofs outside the service use. */
export { type Claimed, claimDue } from '../src/actions/claim-due.ts';
export { reconcilePermits } from '../src/actions/reconcile-permits.ts';
export { createDueSends } from '../src/actions/send-due.ts';
export { findOutlook, parkAll } from '../src/queries/claims.ts';
export { defaultTimings } from '../src/timings.ts';
