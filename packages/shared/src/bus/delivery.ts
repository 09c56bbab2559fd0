import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../kernel/index.ts';
import { dayMs, hourMs } from '../kernel/index.ts';
import { isConnectionError, isPassingFault } from '../postgres/index.ts';
import { countDeadLetter } from './dead-letter-metrics.ts';
import {
  type BusMessage,
  type MessageHandler,
  PoisonMessageError,
  RetryLaterError,
  type StoredMessage,
} from './port.ts';
import { deadLetterTopic } from './topic-names.ts';

/** Attempts before a message is dead-lettered because its handler throws. */
export const faultsMax = 4;

/**
 * Transient faults, such as a locked table, are retried until the event is this old, unless the handler finds that
 * they are the message's own.
 */
export const passingMaxMs = dayMs;
/**
 * In each process at least this long, so that an old event (put back, or behind others) is not lost at once.
 */
const passingMinMs = hourMs;

const retryAfterMinMs = 200;
const retryAfterMaxMs = 5_000;
const errorMessageLengthMax = 300;

export type BusLog = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

export type DeliveryReport = {
  group: string;
  message: StoredMessage;
  attempts: number;
  error: unknown;
};

/** For metrics and logs. Errors that a hook throws are ignored. */
export type DeliveryHooks = {
  onRetry?: (report: DeliveryReport & { retryAfterMs: number }) => void;
  onDeadLetter?: (report: DeliveryReport) => void;
};

/** The state of an unsettled message between attempts. */
export type DeliveryProgress = {
  attempts: number;
  /** Attempts that ended in an error of the handler itself, bounded by `faultsMax`. */
  faults: number;
  /** Time since which every attempt ended in a transient fault. */
  passingSince?: Date | undefined;
  firstAt: Date;
  lastAt: Date;
  /** The error for which the message will be dead-lettered: the handler is not called again. */
  condemnedFor?: unknown;
};

export type DeliveryOutcome =
  | { settled: true }
  | { settled: false; retryAfterMs: number; progress: DeliveryProgress };

export type Delivery = {
  group: string;
  message: StoredMessage;
  handler: MessageHandler;
  publishDeadLetter: (deadLetter: BusMessage) => Promise<void>;
  hooks?: DeliveryHooks;
  progress?: DeliveryProgress;
};

/**
 * Makes one attempt to settle a message: handled, or dead-lettered. Never throws. Unsettled means that the
 * caller keeps the message, leaves the cursor before it, and tries again with the returned progress.
 *
 * A poison message is dead-lettered at once. A fault outside the handler (`RetryLaterError`, a lost database
 * connection) is retried without limit, 200 ms to 5 s apart. A transient fault (a statement that timed out, a
 * lock, a deadlock) is retried in the same way until the event is 24 h old, at least for an hour by this
 * process, and then dead-lettered. Any other error gets four attempts within about 1.4 s before the dead
 * letter. A dead letter that cannot be written leaves the message unsettled.
 */
export async function attemptDelivery(delivery: Delivery): Promise<DeliveryOutcome> {
  const { group, message, hooks } = delivery;
  const progress = nextAttempt(delivery.progress);
  if (progress.condemnedFor === undefined) {
    try {
      const { attempts: attempt, passingSince } = progress;
      await delivery.handler({ ...message, attempt, passingSince });
      return { settled: true };
    } catch (thrown) {
      const error = thrown ?? new Error('the handler threw nothing');
      progress.lastAt = new Date();
      if (mayBeRetried(message, progress, error)) return unsettled(delivery, progress, error);
      progress.condemnedFor = error;
    }
  }
  try {
    await delivery.publishDeadLetter(deadLetter(delivery, progress));
  } catch (error) {
    return unsettled(delivery, progress, error);
  }
  const report = { group, message, attempts: progress.attempts, error: progress.condemnedFor };
  callHook(() => hooks?.onDeadLetter?.(report));
  return { settled: true };
}

/** Resolves after the time or when the signal aborts, whichever comes first. */
export async function waitUnlessAborted(waitMs: number, signal: AbortSignal): Promise<void> {
  await wait(waitMs, undefined, { signal }).catch(() => {});
}

/**
 * 200 ms doubling to 5 s, each between half and all of the step, so that consumers do not retry in lockstep.
 */
export function retryAfterMs(attempts: number): number {
  const stepMs = Math.min(retryAfterMaxMs, retryAfterMinMs * 2 ** Math.min(attempts - 1, 10));
  return Math.round(stepMs * (0.5 + Math.random() / 2));
}

function nextAttempt(progress: DeliveryProgress | undefined): DeliveryProgress {
  const now = new Date();
  if (!progress) return { attempts: 1, faults: 0, firstAt: now, lastAt: now };
  // Rewriting a dead letter does not count as an attempt of the handler.
  if (progress.condemnedFor !== undefined) return { ...progress };
  return { ...progress, attempts: progress.attempts + 1 };
}

/** Counts the error in the progress. */
function mayBeRetried(message: Delivery['message'], progress: DeliveryProgress, error: unknown): boolean {
  if (isPassingFault(error)) {
    const { lastAt } = progress;
    progress.passingSince ??= lastAt;
    const passingMs = lastAt.getTime() - progress.passingSince.getTime();
    // By the event's own time: a new process starts counting again, and with a deploy a day the wait would
    // not end.
    const ageMs = lastAt.getTime() - Date.parse(message.headers.ce_time ?? '');
    return passingMs < passingMinMs || Math.max(passingMs, ageMs || 0) < passingMaxMs;
  }
  progress.passingSince = undefined;
  if (error instanceof PoisonMessageError) return false;
  if (error instanceof RetryLaterError || isConnectionError(error)) return true;
  progress.faults += 1;
  return progress.faults < faultsMax;
}

function unsettled(delivery: Delivery, progress: DeliveryProgress, error: unknown): DeliveryOutcome {
  const { group, message, hooks } = delivery;
  const afterMs = retryAfterMs(progress.attempts);
  const report = { group, message, attempts: progress.attempts, error, retryAfterMs: afterMs };
  callHook(() => hooks?.onRetry?.(report));
  return { settled: false, retryAfterMs: afterMs, progress };
}

function deadLetter({ group, message }: Delivery, progress: DeliveryProgress): BusMessage {
  const { errorClass, errorMessage } = describeError(progress.condemnedFor);
  return {
    topic: deadLetterTopic(message.topic),
    key: message.key,
    value: message.value,
    headers: {
      ...message.headers,
      dlq_topic: message.topic,
      dlq_partition: String(message.partition),
      dlq_offset: message.offset,
      dlq_group: group,
      dlq_error_class: errorClass,
      dlq_error_message: errorMessage,
      dlq_attempts: String(progress.attempts),
      dlq_first_at: progress.firstAt.toISOString(),
      dlq_last_at: progress.lastAt.toISOString(),
    },
  };
}

/** One short line: a stack shows paths, and a long message may contain the data it is about. */
export function describeError(error: unknown): { errorClass: string; errorMessage: string } {
  const errorClass = error instanceof Error ? error.name : typeof error;
  const text = error instanceof Error ? error.message : String(error);
  // Postgres stores no U+0000, so a dead letter with one could not be written.
  const line = text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, errorMessageLengthMax);
  return { errorClass, errorMessage: line.toWellFormed() };
}

/** Hooks that log and count, called before the caller's own. */
export function loggedHooks(log: BusLog, hooks: DeliveryHooks = {}): DeliveryHooks {
  const fields = ({ group, message, attempts, error }: DeliveryReport): Record<string, unknown> => ({
    group,
    topic: message.topic,
    partition: message.partition,
    offset: message.offset,
    attempts,
    ...describeError(error),
  });
  return {
    onRetry(report) {
      log.warn({ ...fields(report), retryAfterMs: report.retryAfterMs }, 'a bus message is to be retried');
      hooks.onRetry?.(report);
    },
    onDeadLetter(report) {
      log.error(fields(report), 'a bus message was dead-lettered');
      countDeadLetter(report.group, report.message.topic);
      hooks.onDeadLetter?.(report);
    },
  };
}

function callHook(hook: () => void): void {
  try {
    hook();
  } catch {
    // A broken metric must not prevent a message from being settled.
  }
}
