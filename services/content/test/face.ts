/** Internals that benchmarks outside the service use. */
export { listContents } from '../src/queries/contents.ts';
export { findLedgerDrift } from '../src/queries/gauges.ts';
