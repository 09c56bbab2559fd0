/** Internals that benchmarks and proofs outside the service use. */

export { findNextFireAt, listDueAutomations, lockDueOf } from '../src/automations/queries.ts';
export { reconcileFirings } from '../src/firings/reconcile.ts';
export { signatureHeaders } from '../src/receivers/signatures.rules.ts';
export { nextSlots } from '../src/slots/next-slot.rules.ts';
