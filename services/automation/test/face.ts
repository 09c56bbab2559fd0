/** Internals that proofs outside the service use. */

export { reconcileFirings } from '../src/firings/reconcile.ts';
