export { lockForCount } from './account-lock.ts';
export { claimDatabase } from './claim-database.ts';
export { CommitUnknownError } from './commit-unknown.ts';
export { startDatabaseClock } from './database-clock.ts';
export {
  columnsOf,
  type Database,
  isConnectionError,
  isDatabaseError,
  isPassingFault,
  isUniqueViolation,
  openDatabase,
  type Sql,
  type Transaction,
  toSql,
} from './db.ts';
export { closeDedicatedConnection, openDedicatedConnection } from './dedicated-connection.ts';
export {
  type Claim,
  canonicalJson,
  claimKey,
  claimOrWait,
  completeKey,
  findReply,
  pruneKeys,
  type Replay,
  releaseKey,
} from './idempotency/idempotency.ts';
export type { IdempotencyScope, KeyLease } from './idempotency/queries/keys.ts';
export { checkInvariants, type Finding, type Invariant, outboxInvariants } from './invariants.ts';
export { type IsolatedFault, isOwnFault, isolateFaults } from './isolate.ts';
export { withKey } from './keys-of-work.ts';
export { lockedInOrder } from './locked-in-order.ts';
export { migrateAll, migrationSets } from './migrate.ts';
export { type ResealCount, resealStore, type SealedStore } from './reseal.ts';
export { type ConnectionSource, dedicatedConnections, shareConnection } from './shared-connection.ts';
export { requireStore } from './store-check.ts';
export { openWakeUp, type WakeUp } from './wake-up.ts';
