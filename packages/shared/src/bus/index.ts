export { expectDeadLetters } from './dead-letter-metrics.ts';
export { hasJustHandled, type OnceEffect, pruneInbox, runAllOnce, runOnce } from './inbox/inbox.ts';
export { appendEvent, appendEvents } from './outbox/append.ts';
export { watchOutbox } from './outbox/metrics.ts';
export { listDeadRows, reviveDeadRows } from './outbox/queries/dead.ts';
export { findLastSequence, findLastSequences } from './outbox/queries/events.ts';
export { type SentFilter, sentBatches } from './outbox/queries/sent.ts';
export { type OutboxRelay, startOutboxRelay } from './outbox/relay.ts';
export {
  type Bus,
  type BusMessage,
  type GroupLag,
  type MessageHandler,
  PoisonMessageError,
  type ReceivedMessage,
  RetryLaterError,
  type StoredMessage,
} from './port.ts';
export { deleteCursors } from './postgres-log/queries/log.ts';
export {
  countDeadLetters,
  type DeadLetter,
  deleteDealtWith,
  eachDeadLetter,
  putBack,
  redriveGroup,
  redriveHeader,
} from './redrive.ts';
export { deadLetterTopic } from './topic-names.ts';
