/** Internals that benchmarks and proofs outside the service use. */
export { reconcileFirings } from '../src/actions/reconcile-firings.ts';
export { findNextFireAt, listDueAutomations, lockDueOf } from '../src/queries/automations.ts';
export { nextSlots } from '../src/rules/next-slot.ts';
export { signatureHeaders } from '../src/rules/signatures.ts';
