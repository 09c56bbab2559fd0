/**
 * Detects a database that went back in time: a failover that lost commits, a point-in-time recovery, a
 * snapshot. Sending from it would repeat posts. Three witnesses outlive it: this process' memory, a file, and
 * the service's own events on the bus. Any of them opens a pause, which an operator ends with `close-after`.
 */
import type { Bus, GroupLag, StoredMessage } from '@hookline/shared/bus';
import type { Logger } from '@hookline/shared/kernel';
import { dayMs } from '@hookline/shared/kernel/durations';
import type { Database, Sql } from '@hookline/shared/postgres';
import type { WitnessFile } from '../adapters/witness-file.ts';
import {
  adoptOffsets,
  canReadPosition,
  findServer,
  listRecordedOffsets,
  listUnknown,
  lowerOffset,
  type ReadRange,
  type RecordedOffset,
  readStanding,
  recordIfKnown,
  recordRange,
  recordServer,
  type UnknownEvent,
} from '../queries/database-witness.ts';
import { openPause } from '../queries/sending-pauses.ts';
import { type OwnEvent, ownEvents, readOwnEvent } from '../rules/own-event.ts';
import { judge, judgeOffsets, type Memory, type Standing } from '../rules/went-back.ts';

export type DatabaseWatch = {
  /** Reads the file and checks the database. @param onReady called when `isReady` turns true. */
  start(onReady: () => void): Promise<void>;
  /**
   * Reads this service's events from where the database's record ends up to the end of the bus, and compares
   * them. Call it before this service subscribes to them. Resolves when it is done, or at the stop; retries
   * what fails.
   */
  compareWith(bus: ComparedBus): Promise<void>;
  /**
   * False until the database is known to have everything that the witnesses remember: nothing is claimed
   * before.
   */
  isReady(): boolean;
  /** For the transaction that begins calls. Null: no call may begin, the database may have gone back. */
  check(sql: Sql): Promise<Standing | null>;
  /** Call after that transaction's commit is acknowledged, before the calls. Never throws. */
  remember(standing: Standing, attemptIds: readonly string[]): Promise<void>;
  /** Compares a message of this service's topics that its group received, after `compareWith`. */
  witness(message: StoredMessage): Promise<void>;
  stop(): Promise<void>;
};

type ComparedBus = Pick<Bus, 'lag' | 'read'>;

const checkEveryMs = 10_000;
const retryMs = 500;
const complainEveryMs = 60_000;
// One attempt represents its whole batch. A few batches of one process may commit in a different order
// than they began.
const rememberedMax = 8;
// Attempts of withdrawn schedules are deleted after 7 days.
const rememberedForMs = 6 * dayMs;
// Within this time every other worker checks at least twice that all it committed is there.
const failoverPauseMs = 25_000;

/** @param file null: only the bus outlives this process. */
export function createDatabaseWatch(
  { db, log, now }: { db: Database; log: Logger; now: () => Date },
  file: WitnessFile | null,
): DatabaseWatch {
  let memory: Memory | null = null;
  let hasPosition = false;
  let isReady = false;
  let reported = '';
  let wakeSender = (): void => {};
  const stopped = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let comparing: Promise<void> = Promise.resolve();
  let comparisons = 0;
  let bus: ComparedBus | undefined;

  const rememberedIds = (): string[] =>
    (memory?.attempts ?? [])
      .filter(({ atMs }) => now().getTime() - atMs < rememberedForMs)
      .map(({ id }) => id);

  async function pauseFor(cause: 'went_back' | 'failover', why: string): Promise<void> {
    const isBack = cause === 'went_back';
    const reason = isBack ? `the database went back in time: ${why}` : 'another database server answers';
    const pause = await db.transaction(tx =>
      openPause(tx, { reason, cause, ...(isBack ? {} : { forMs: failoverPauseMs }) }, now()),
    );
    if (isBack && (pause.isNew || reported !== why)) log.error({ why }, 'the database went back in time');
    else if (pause.isNew) log.warn({ forMs: failoverPauseMs }, 'another database server answers');
    if (isBack) reported = why;
  }

  /**
   * @param known the memory before the reading: a batch may since have remembered a later position
   * @returns true if calls may begin.
   */
  async function act(standing: Standing, known: Memory | null): Promise<boolean> {
    const verdict = judge(known, standing);
    if (verdict.kind === 'same') return true;
    if (verdict.kind === 'went_back') {
      await pauseFor('went_back', verdict.why);
      return false;
    }
    // Another check was faster, or a batch has remembered calls that this reading may not have.
    if (memory !== known) return false;
    // The pause gives the other workers time to check: they may remember commits that this process never saw.
    // It is committed before the server is recorded as known, so that a failed pause is tried again.
    if (verdict.kind === 'moved') await pauseFor('failover', '');
    if (hasPosition) await recordServer(db, standing);
    if (memory !== known) return false;
    const { missing: _, ...place } = standing;
    memory = { ...place, attempts: verdict.kind === 'settled' ? [] : (memory?.attempts ?? []) };
    // The workers that remember the missing commits may be gone while their events are on the bus.
    if (verdict.kind === 'moved' && bus) compareAnew(bus);
    return false;
  }

  /**
   * The memory of a process that has sent nothing yet: the server that the senders saw last. Without a log
   * position, because one that is read outside a commit may be lost in a crash that loses no commit.
   */
  async function serverSeenLast({ systemId, timeline, settledAtMs }: Standing): Promise<Memory> {
    const seen = hasPosition ? await findServer(db) : null;
    return { systemId, timeline, ...seen, lsn: hasPosition ? '0' : null, settledAtMs, attempts: [] };
  }

  function checkInBackground(): void {
    const known = memory;
    readStanding(db, rememberedIds(), hasPosition)
      .then(standing => act(standing, known))
      .catch(error => log.debug({ err: error }, 'the database could not be checked'));
  }

  /** Nothing is claimed, and no call begins, until this comparison is done. */
  function compareAnew(on: ComparedBus): void {
    isReady = false;
    comparisons += 1;
    const mine = comparisons;
    comparing = comparing.then(() => compareUntilDone(on, mine));
  }

  async function compareUntilDone(on: ComparedBus, mine: number): Promise<void> {
    let complainedAtMs = Number.NEGATIVE_INFINITY;
    while (!stopped.signal.aborted) {
      try {
        await compareWithBus(on);
        if (stopped.signal.aborted) return;
        isReady = mine === comparisons;
        wakeSender();
        return;
      } catch (error) {
        if (performance.now() - complainedAtMs > complainEveryMs) {
          log.warn({ err: error }, 'the bus cannot be compared with the database yet; nothing is sent');
          complainedAtMs = performance.now();
        }
      }
      await pauseUnlessStopped(retryMs);
    }
  }

  async function compareWithBus(on: ComparedBus): Promise<void> {
    // The record is read before the ends, because an event that is published in between raises the end first.
    const before = await listRecordedOffsets(db);
    const offsets = await on.lag(ownEvents.group, ownEvents.topics);
    await adoptOffsets(db, offsets.map(toRecorded));
    // The first start of this version, or just settled: no known event can be missing.
    if (before.length === 0) return;
    const restarted = before.flatMap(recorded => {
      const end = offsets.find(one => placeOf(one) === placeOf(recorded))?.end;
      return end !== undefined && end < recorded.settled ? { ...recorded, end } : [];
    });
    for (const one of restarted) await readAnew(on, one);
    for (const one of offsets) await recordUnreadable(on, one);
    const verdict = judgeOffsets(await listRecordedOffsets(db), offsets);
    if (verdict.kind === 'went_back') await pauseFor('went_back', verdict.why);
    else await Promise.all(offsets.map(({ end, ...place }) => readUpTo(on, place, end)));
  }

  /**
   * The topic ends before the recorded offset: it was created again, or its brokers lost its end. The record
   * is lowered only after the whole topic was read, so that a process that dies here changes nothing.
   */
  async function readAnew(on: ComparedBus, { end, ...recorded }: RecordedOffset & { end: number }) {
    log.warn(recorded, 'the topic ends before what was read of it; it is read again');
    for (let from = 0; from < end; ) {
      const { messages, next } = await readOn(on, { ...recorded, from });
      for (const event of await listUnknown(db, eventsOf(messages))) await pauseUnlessSettled(event);
      if (stopped.signal.aborted) return;
      from = next;
    }
    await lowerOffset(db, recorded, end);
  }

  /**
   * The bus itself passes a value that is not text: the group has confirmed it, and it is not recorded.
   * Records those at the end of the record, up to the first own event.
   */
  async function recordUnreadable(on: ComparedBus, { topic, partition, confirmed, end }: GroupLag) {
    const recorded = await listRecordedOffsets(db);
    const from = recorded.find(one => placeOf(one) === placeOf({ topic, partition }))?.settled ?? end;
    if (confirmed === null || confirmed > end || confirmed <= from) return;
    const { messages } = await readOn(on, { topic, partition, from });
    const isNext = (one: StoredMessage, at: number) => Number(one.offset) === from + at && !readOwnEvent(one);
    const until = messages.findIndex((one, at) => !isNext(one, at));
    const next = from + (until < 0 ? messages.length : until);
    if (next > from) await recordRange(db, { topic, partition, from, next });
  }

  /**
   * Compares from where the record ends (D-99). Others may read the same partition at the same time, so the
   * record is read again for each range. @param confirmed by the group, before this call
   */
  async function readUpTo(on: ComparedBus, { topic, partition }: Place, end: number, confirmed = 0) {
    while (!stopped.signal.aborted) {
      const recorded = await listRecordedOffsets(db);
      const from = recorded.find(one => placeOf(one) === placeOf({ topic, partition }))?.settled ?? end;
      if (from >= end) return;
      const { messages, next } = await readOn(on, { topic, partition, from });
      // Each event is recorded before it is confirmed, so the record has come back with the database.
      if (messages.some(one => Number(one.offset) < confirmed && readOwnEvent(one) !== null))
        await pauseFor(
          'went_back',
          `its record of ${topic}/${partition} ends at ${from}, and ${confirmed} was confirmed to the bus`,
        );
      await compare({ topic, partition, from, next }, messages);
    }
  }

  /** The offset up to which the group has confirmed; 0 in a topic that was created again since. */
  async function readConfirmed(on: ComparedBus, place: Place): Promise<number> {
    const offsets = await on.lag(ownEvents.group, ownEvents.topics);
    const { confirmed, end } = offsets.find(one => placeOf(one) === placeOf(place)) ?? {
      confirmed: null,
      end: 0,
    };
    return confirmed === null || confirmed > end ? 0 : confirmed;
  }

  async function readOn(on: ComparedBus, place: Place & { from: number }) {
    const range = await on.read(place);
    if (range.next <= place.from) throw new Error(`${placeOf(place)} ends at ${place.from}`);
    return range;
  }

  /** @returns false if events before the range are not recorded yet: nothing was recorded. */
  async function compare(range: ReadRange, messages: readonly StoredMessage[]): Promise<boolean> {
    const { unknown, hasGap } = await recordIfKnown(db, range, eventsOf(messages));
    // The pause first: a process that dies between the two reads the range again.
    for (const event of unknown) await pauseUnlessSettled(event);
    if (unknown.length > 0) await recordRange(db, range);
    return !hasGap;
  }

  async function pauseUnlessSettled({ scheduleId, sequence, timeMs, known }: UnknownEvent): Promise<void> {
    const { settledAtMs } = await readStanding(db, [], false);
    if (timeMs <= settledAtMs) return;
    const why = `event ${sequence} of ${scheduleId} was published, and only ${known} are known`;
    await pauseFor('went_back', why);
  }

  function pauseUnlessStopped(ms: number): Promise<void> {
    return new Promise(resolve => {
      const wake = setTimeout(resolve, ms);
      stopped.signal.addEventListener('abort', () => {
        clearTimeout(wake);
        resolve();
      });
    });
  }

  return {
    async start(onReady) {
      wakeSender = onReady;
      hasPosition = await canReadPosition(db);
      if (!hasPosition)
        log.warn('the database does not report its log position; the last calls are compared');
      memory = (await file?.read()) ?? null;
      const standing = await readStanding(db, rememberedIds(), hasPosition);
      memory ??= await serverSeenLast(standing);
      if ((await act(standing, memory)) && hasPosition) await recordServer(db, standing);
      timer = setInterval(checkInBackground, checkEveryMs).unref();
    },
    async compareWith(on) {
      bus = on;
      compareAnew(on);
      // Until the last one: a failover begins another.
      for (let last: unknown; last !== comparing; await last) last = comparing;
    },
    isReady: () => isReady,
    async check(sql) {
      const known = memory;
      const standing = await readStanding(sql, rememberedIds(), hasPosition);
      if (judge(known, standing).kind === 'same') return isReady ? standing : null;
      // At once: each return of a claim gives the schedule another event, which hides the events that it
      // lost.
      checkInBackground();
      return null;
    },
    async remember({ missing: _, ...place }, attemptIds) {
      const newest = attemptIds.slice(-1).map(id => ({ id, atMs: now().getTime() }));
      // Commits of two batches are acknowledged in any order: keep the later position.
      const isLater =
        !memory?.lsn || memory.systemId !== place.systemId || BigInt(place.lsn ?? 0) >= BigInt(memory.lsn);
      memory = {
        ...(isLater ? place : memory!),
        // A settlement that another check has noted since must not look new, which would forget this call.
        settledAtMs: Math.max(place.settledAtMs, memory?.settledAtMs ?? 0),
        attempts: [...(memory?.attempts ?? []), ...newest].slice(-rememberedMax),
      };
      await file?.write(memory);
    },
    async witness(message) {
      const { topic, partition } = message;
      const from = Number(message.offset);
      if (await compare({ topic, partition, from, next: from + 1 }, [message])) return;
      // Events of other keys may arrive first, or the group has passed events that this database has not
      // seen.
      if (bus) await readUpTo(bus, message, from + 1, await readConfirmed(bus, message));
      // Settled without a record, it would look as if the database had lost it.
      if (stopped.signal.aborted) throw new Error('the comparison with the bus was stopped');
    },
    async stop() {
      clearInterval(timer);
      stopped.abort();
      await comparing;
    },
  };
}

type Place = { topic: string; partition: number };

const placeOf = ({ topic, partition }: Place): string => `${topic}/${partition}`;

function eventsOf(messages: readonly StoredMessage[]): OwnEvent[] {
  return messages.flatMap(message => readOwnEvent(message) ?? []);
}

/** A group that has confirmed nothing begins at the oldest message. */
function toRecorded({ topic, partition, confirmed, end, lag }: GroupLag) {
  return { topic, partition, settled: confirmed ?? end - lag };
}
