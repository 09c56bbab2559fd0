/** Operator commands for contents and credits. */
import { contentSettings } from './settings.ts';

/** Adds credits to an account, once per reference. */
export { grantCredits } from './credits/grant.ts';
/** Needed by a grant: an account that never generated also gets its sign-up grant. */
export const creditSettings = { SIGNUP_CREDITS: contentSettings.SIGNUP_CREDITS };
/** What a deletion removes of a workspace, table by table. */
export { deletionSteps } from './upkeep/queries.ts';
/**
 * What must always hold of the service's tables, and the figures of each account's ledger that this is
 * checked by.
 */
export { contentInvariants as invariants, ledgerFiguresSql } from './upkeep/queries-invariants.ts';
