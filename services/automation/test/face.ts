/** Internals that proofs outside the service use. */
export { nextSlots } from '../src/slots/next-slot.rules.ts';
export { reconcileFirings } from '../src/firings/reconcile.ts';
