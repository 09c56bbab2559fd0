/** What benchmarks and proofs outside of the service use of its inside. */
export { type Claimed, claimDue } from '../src/actions/claim-due.ts';
export { reconcilePermits } from '../src/actions/reconcile-permits.ts';
export { defaultTimings } from '../src/options.ts';
export { findOutlook, parkAll } from '../src/queries/claims.ts';
export { startSendDue } from '../src/workers/send-due.ts';
