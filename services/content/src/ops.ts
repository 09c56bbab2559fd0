import { contentSettings } from './settings.ts';

export { grantCredits } from './credits/grant.ts';
/** A grant needs it: an account that never generated also gets its sign-up grant. */
export const creditSettings = { SIGNUP_CREDITS: contentSettings.SIGNUP_CREDITS };
export { sealedStores } from './text-models/queries.ts';
export { deletionSteps } from './upkeep/queries.ts';
export { contentInvariants as invariants, ledgerFiguresSql } from './upkeep/queries-invariants.ts';
