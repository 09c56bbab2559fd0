/** Deletion of a workspace in the service that owns the data. */
export { type DeletionStep, deleteRows, ofAccount, where } from './delete-rows.ts';
export { listFrozen } from './queries/standings.ts';
export { addStandingRoute, type DeletionProgress, type DeletionRequest } from './standing-route.ts';
