/** What an operator does to contents and credits. */

/** Adds credits to an account, once per reference. */
export { grantCredits } from './actions/grant-credits.ts';
/** What must always hold of the service's tables, and the figures of each account's ledger that this is checked by. */
export { contentInvariants as invariants, ledgerFiguresSql } from './queries/invariants.ts';
