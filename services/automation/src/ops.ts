/** Operator commands for automations and webhooks. */

/** After a restore: ends firings and slots that may have been posted since the backup. */
export { endAfterRestore } from './actions/end-after-restore.ts';
/** What a deletion removes of a workspace, table by table. */
export { deletionSteps } from './queries/deletion.ts';
/** Invariants of the service's tables. */
export { automationInvariants as invariants } from './queries/invariants.ts';
/** Tables that hold sealed secrets, for a rotation of the encryption keys. */
export { sealedStores } from './queries/sealed-secrets.ts';
