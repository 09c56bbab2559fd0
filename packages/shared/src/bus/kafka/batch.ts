import type { OffsetsByTopicPartition } from 'kafkajs';
import {
  attemptDelivery,
  type DeliveryHooks,
  type DeliveryProgress,
  waitUnlessAborted,
} from '../delivery.ts';
import {
  type BusMessage,
  type MessageHandler,
  PoisonMessageError,
  type StoredMessage,
  type Subscription,
} from '../port.ts';
import { decodeHeaders, isText, type WireHeaders } from './headers.ts';

/**
 * Longest time that one message is retried in place; after that its partition is paused and the others
 * continue.
 */
const patienceMs = 1_000;
const heartbeatEveryMs = 1_000;
export const commitEveryMs = 1_000;

export type WireMessage = { offset: string; key: Buffer | null; value: Buffer | null; headers?: WireHeaders };

/** A batch of the client library; the names are those of kafkajs. */
export type BatchInHand = {
  batch: { topic: string; partition: number; messages: readonly WireMessage[] };
  resolveOffset(offset: string): void;
  heartbeat(): Promise<void>;
  /** Commits these offsets, or all that are resolved if the time or the number for it was reached. */
  commitOffsetsIfNecessary(offsets?: OffsetsByTopicPartition): Promise<void>;
  /** Returns the offsets of all partitions that are resolved and not committed. */
  uncommittedOffsets(): OffsetsByTopicPartition;
  isRunning(): boolean;
  isStale(): boolean;
  /** Pauses the batch's partition; returns a function that resumes it. */
  pause(): () => void;
};

export type BatchWorkerOptions = {
  subscription: Subscription;
  hooks: DeliveryHooks;
  /** With the raw message, so that bytes that are not text reach the dead letter unchanged. */
  publishDeadLetter: (deadLetter: BusMessage, raw: WireMessage) => Promise<void>;
};

/** A message as the handler gets it, and the handler that takes it. */
type Read = { raw: WireMessage; message: StoredMessage; handle: MessageHandler };

type Heart = { throwIfLost(): void; stop(): void };

export type BatchWorker = {
  work(inHand: BatchInHand): Promise<void>;
  /** The group was joined again: earlier batches in flight no longer own their partitions. */
  noteJoined(): void;
  /** Stops delivery for good and waits for the messages in flight. */
  stop(): Promise<void>;
};

/**
 * Delivers the messages of each batch and resolves each offset after its settled message. Up to
 * `subscription.atOnce` messages of different keys are in the handler together; they are settled in the order
 * of the partition, so that no offset passes a message that must wait.
 */
export function createBatchWorker(options: BatchWorkerOptions): BatchWorker {
  const { subscription, hooks, publishDeadLetter } = options;
  const { group, handler, atOnce = 1 } = subscription;
  const unsettled = new Map<string, { offset: string; progress: DeliveryProgress }>();
  const idle = Promise.withResolvers<void>();
  const stopping = new AbortController();
  let generation = 0;
  let inHandCount = 0;
  /** The newest batch of this generation. Each can commit the offsets of all. */
  let newest: BatchInHand | undefined;
  let commitTimer: NodeJS.Timeout | undefined;

  async function work(inHand: BatchInHand): Promise<void> {
    const joined = generation;
    const isOurs = (): boolean => joined === generation;
    const mayGoOn = (): boolean =>
      !stopping.signal.aborted && isOurs() && inHand.isRunning() && !inHand.isStale();
    newest = inHand;
    const heart = startHeart(inHand);
    try {
      const { messages } = inHand.batch;
      for (let at = 0; at < messages.length && mayGoOn(); ) {
        const run = takeRun(messages, at, atOnce);
        at += run.length;
        if (!(await counted(() => settleRun(inHand, run, { mayGoOn, isOurs, heart })))) return;
        await inHand.commitOffsetsIfNecessary();
        await inHand.heartbeat();
      }
    } finally {
      heart.stop();
      commitSoon();
    }
  }

  function commitSoon(): void {
    if (!stopping.signal.aborted) commitTimer ??= setTimeout(() => void commitResolved(), commitEveryMs);
  }

  async function commitResolved(): Promise<void> {
    clearTimeout(commitTimer);
    commitTimer = undefined;
    try {
      await newest?.commitOffsetsIfNecessary(newest.uncommittedOffsets());
    } catch {
      commitSoon();
    }
  }

  async function settleRun(
    inHand: BatchInHand,
    run: readonly WireMessage[],
    { mayGoOn, isOurs, heart }: { mayGoOn: () => boolean; isOurs: () => boolean; heart: Heart },
  ): Promise<boolean> {
    const messages = run.map(raw => read(inHand, raw));
    const begun = messages.map(one => (messages.length === 1 ? undefined : begin(inHand, one)));
    try {
      for (const [at, one] of messages.entries()) {
        const { raw } = one;
        const settled = await settle(inHand, one, mayGoOn, begun[at]);
        // The partition may belong to another consumer by now, so its offset must not be moved.
        if (!settled || !isOurs()) return false;
        inHand.resolveOffset(raw.offset);
        heart.throwIfLost();
      }
      return true;
    } finally {
      // Messages behind one that waits are delivered again with it, after their handlers have ended.
      await Promise.allSettled(begun);
    }
  }

  /** Starts the handler of a message ahead of its turn; undefined if it already had an attempt. */
  function begin(inHand: BatchInHand, { raw, message, handle }: Read): Promise<void> | undefined {
    if (unsettled.get(placeOf(inHand))?.offset === raw.offset) return undefined;
    const begun = handle({ ...message, attempt: 1 });
    // The failure is handled in its turn.
    begun.catch(() => {});
    return begun;
  }

  /** @param begun the first attempt, if it was started ahead. */
  async function settle(
    inHand: BatchInHand,
    one: Read,
    mayGoOn: () => boolean,
    begun?: Promise<void>,
  ): Promise<boolean> {
    const { raw } = one;
    const place = placeOf(inHand);
    const known = unsettled.get(place);
    let progress = known?.offset === raw.offset ? known.progress : undefined;
    let first = begun;
    const startedMs = performance.now();
    for (;;) {
      const outcome = await attempt(one, progress, first);
      first = undefined;
      if (outcome.settled) {
        unsettled.delete(place);
        return true;
      }
      progress = outcome.progress;
      unsettled.set(place, { offset: raw.offset, progress });
      if (!mayGoOn()) return false;
      if (performance.now() - startedMs + outcome.retryAfterMs > patienceMs) {
        setAside(inHand, outcome.retryAfterMs);
        return false;
      }
      await waitUnlessAborted(outcome.retryAfterMs, stopping.signal);
      if (!mayGoOn()) return false;
    }
  }

  function attempt(
    { raw, message, handle }: Read,
    progress: DeliveryProgress | undefined,
    begun: Promise<void> | undefined,
  ) {
    return attemptDelivery({
      group,
      message,
      handler: begun ? () => begun : handle,
      publishDeadLetter: deadLetter => publishDeadLetter(deadLetter, raw),
      hooks,
      ...(progress && { progress }),
    });
  }

  function read({ batch: { topic, partition } }: BatchInHand, raw: WireMessage): Read {
    const { offset } = raw;
    const key = keyOf(raw);
    const value = raw.value?.toString() ?? '';
    return {
      raw,
      message: { topic, partition, offset, key, value, headers: decodeHeaders(raw.headers) },
      handle: isText(raw.value) ? handler : refuseBytes,
    };
  }

  /**
   * Pauses the partition, to be fetched again from this message on after the wait; the client's own loop
   * keeps the heartbeat.
   */
  function setAside(inHand: BatchInHand, waitMs: number): void {
    const resume = inHand.pause();
    setTimeout(() => {
      if (!stopping.signal.aborted) resume();
    }, waitMs).unref();
  }

  async function counted<T>(task: () => Promise<T>): Promise<T> {
    inHandCount += 1;
    try {
      return await task();
    } finally {
      inHandCount -= 1;
      if (stopping.signal.aborted && inHandCount === 0) idle.resolve();
    }
  }

  return {
    work,
    noteJoined() {
      generation += 1;
      // A broker takes commits of a generation until the next one has joined.
      void commitResolved();
      newest = undefined;
    },
    async stop() {
      stopping.abort();
      if (inHandCount > 0) await idle.promise;
      await commitResolved();
    },
  };
}

/** From `from` on, the longest row of messages whose keys all differ, at most `max`. */
function takeRun(messages: readonly WireMessage[], from: number, max: number): WireMessage[] {
  const keys = new Set<string>();
  const run: WireMessage[] = [];
  for (let at = from; at < messages.length && run.length < max; at += 1) {
    const raw = messages[at] as WireMessage;
    const key = keyOf(raw);
    if (keys.has(key)) break;
    keys.add(key);
    run.push(raw);
  }
  return run;
}

function keyOf(raw: WireMessage): string {
  return raw.key?.toString() ?? '';
}

function placeOf({ batch: { topic, partition } }: BatchInHand): string {
  return `${topic} ${partition}`;
}

async function refuseBytes(): Promise<never> {
  throw new PoisonMessageError('the value is not UTF-8 text');
}

/** Heartbeats while handlers work, because kafkajs sends none between two messages. */
function startHeart(inHand: BatchInHand): Heart {
  let lost: { error: unknown } | undefined;
  const timer = setInterval(() => {
    inHand.heartbeat().catch(error => {
      lost ??= { error };
    });
  }, heartbeatEveryMs).unref();
  return {
    throwIfLost() {
      // kafkajs's own error, from which its runner rejoins.
      if (lost) throw lost.error;
    },
    stop: () => clearInterval(timer),
  };
}
