export { expectDeadLetters } from './dead-letter-metrics.ts';
export { type OnceEffect, pruneInbox, runAllOnce, runOnce } from './inbox.ts';
export { appendEvent, appendEvents, findLastSequence, type OutboxRelay, startOutboxRelay } from './outbox.ts';
export { findLastSequences } from './outbox-append.ts';
export { listDeadRows, reviveDeadRows } from './outbox-dead.ts';
export { watchOutbox } from './outbox-metrics.ts';
export { type SentFilter, sentBatches } from './outbox-sent.ts';
export {
  type Bus,
  type BusMessage,
  type GroupLag,
  type MessageHandler,
  PoisonMessageError,
  type ReceivedMessage,
  RetryLaterError,
} from './port.ts';
export { deleteCursors } from './queries/log.ts';
export {
  countDeadLetters,
  type DeadLetter,
  eachDeadLetter,
  putBack,
  redriveGroup,
  redriveHeader,
} from './redrive.ts';
export { deadLetterTopic } from './topic-names.ts';
