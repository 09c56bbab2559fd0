/** What benchmarks outside of the service use of its inside. */
export { listContents } from '../src/queries/contents.ts';
export { findLedgerDrift } from '../src/queries/gauges.ts';
