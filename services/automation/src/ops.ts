/** After a restore: ends firings and slots that may have been posted since the backup. */
export { endAfterRestore } from './upkeep/end-after-restore.ts';
/** What a deletion removes of a workspace, table by table, and the invariants of the tables. */
export { automationInvariants as invariants, deletionSteps } from './upkeep/queries.ts';
/** Tables that hold sealed secrets, for a rotation of the encryption keys. */
export { sealedStores } from './webhooks/queries.ts';
