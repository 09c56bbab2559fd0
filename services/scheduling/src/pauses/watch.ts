/**
 * Detects a database that went back in time: a failover that lost commits, a point-in-time recovery, a
 * snapshot. Sending from it would repeat posts. Three witnesses outlive it: this process' memory, a file, and
 * the service's own events on the bus. Any of them opens a pause, which an operator ends with `close-after`.
 */
import type { Bus } from '@hookline/shared/bus';
import type { Logger } from '@hookline/shared/kernel';
import { dayMs } from '@hookline/shared/kernel/durations';
import type { Database, Sql } from '@hookline/shared/postgres';
import { ownEventsOf, ownTopic } from './own-event.rules.ts';
import { openPause } from './queries.ts';
import { canReadPosition, findServer, listUnknown, readStanding, recordServer } from './queries-witness.ts';
import { isShortened, judge, type Memory, type Standing } from './went-back.rules.ts';
import type { WitnessFile } from './witness-file.ts';

export type DatabaseWatch = {
  /** Reads the file and checks the database. @param onReady called when `isReady` turns true. */
  start(onReady: () => void): Promise<void>;
  /**
   * Compares the newest events on the bus with the database, before this process publishes any. Resolves when
   * it is done, or at the stop; retries what fails.
   */
  compareWith(bus: Pick<Bus, 'readBack'>): Promise<void>;
  /** False until the database is known to have what the witnesses remember: nothing is claimed before. */
  isReady(): boolean;
  /** For the transaction that begins calls. Null: no call may begin, the database may have gone back. */
  check(sql: Sql): Promise<Standing | null>;
  /** Call after that transaction's commit is acknowledged, before the calls. Never throws. */
  remember(standing: Standing, attemptIds: readonly string[]): Promise<void>;
  stop(): Promise<void>;
};

type WatchOptions = {
  db: Database;
  log: Logger;
  now: () => Date;
  /** Longest wait for the bus at the start, if the database is the one that was compared last. */
  busWithinMs: number;
};

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
  { db, log, now, busWithinMs }: WatchOptions,
  file: WitnessFile | null,
): DatabaseWatch {
  let memory: Memory | null = null;
  let lastSeen: Standing | null = null;
  let hasPosition = false;
  let isReady = false;
  // The server that answers is the one whose data were last compared with the bus.
  let isSameServer = false;
  let reported = '';
  let wakeSender = (): void => {};
  const stopped = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  let bus: Pick<Bus, 'readBack'> | undefined;
  let comparing: Promise<void> = Promise.resolve();
  let comparisons = 0;

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
   * Asks again whether the position can be read, which another server, or a new right, may have changed. Not
   * for a transaction, which a refusal would abort.
   */
  async function look(): Promise<Standing> {
    hasPosition = await canReadPosition(db);
    return readStanding(db, rememberedIds(), hasPosition);
  }

  /**
   * @param known the memory before the reading: a batch may since have remembered a later position
   * @param before what was seen last before the reading
   * @returns true if calls may begin.
   */
  async function act(standing: Standing, known: Memory | null, before: Standing | null): Promise<boolean> {
    const verdict = judge(known, standing);
    if (verdict.kind === 'went_back') {
      await pauseFor('went_back', verdict.why);
      return false;
    }
    if (verdict.kind === 'same' && isShortened(before, standing)) {
      await pauseFor('went_back', `its log ends at ${standing.lsn}, and ${before?.flushed} was written`);
      return false;
    }
    lastSeen = standing;
    if (verdict.kind === 'same') return true;
    // Another check was faster, or a batch has remembered calls that this reading may not have.
    if (memory !== known) return false;
    // The pause gives the other workers time to check: they may remember commits that this process never saw.
    // The server becomes known after it, so that a failed pause is tried again.
    if (verdict.kind === 'moved') await pauseFor('failover', '');
    if (memory !== known) return false;
    memory = { ...placeOf(standing), attempts: verdict.kind === 'settled' ? [] : (memory?.attempts ?? []) };
    if (verdict.kind === 'moved') {
      // The workers that remember the missing commits may be gone while their events are on the bus.
      isReady = false;
      isSameServer = false;
      compareAnew();
    }
    return false;
  }

  /** Without the log position: one that is read outside a commit may be lost in a crash that loses no commit. */
  function placeOf({ systemId, timeline, settledAtMs }: Standing) {
    return { systemId, timeline, lsn: hasPosition ? '0' : null, settledAtMs };
  }

  function checkInBackground(): void {
    const known = memory;
    const before = lastSeen;
    look()
      .then(standing => act(standing, known, before))
      .catch(error => log.debug({ err: error }, 'the database could not be checked'));
  }

  function compareAnew(): void {
    comparisons += 1;
    const mine = comparisons;
    if (bus) comparing = comparing.then(() => compareUntilDone(mine));
  }

  async function compareUntilDone(mine: number): Promise<void> {
    let complainedAtMs = Number.NEGATIVE_INFINITY;
    while (!stopped.signal.aborted) {
      try {
        await compare();
        isReady ||= mine === comparisons;
        wakeSender();
        return;
      } catch (error) {
        if (performance.now() - complainedAtMs > complainEveryMs) {
          log.warn({ err: error, isReady }, 'the bus cannot be compared with the database yet');
          complainedAtMs = performance.now();
        }
      }
      await pauseUnlessStopped(retryMs);
    }
  }

  /**
   * Every event is committed before it is published, so the bus is ahead only of a database that went back. Its
   * commits are a prefix of what they were: where the newest events are known, all before them are.
   */
  async function compare(): Promise<void> {
    const standing = await readStanding(db, [], hasPosition);
    await bus?.readBack(ownTopic, async messages => {
      const unknown = await listUnknown(db, ownEventsOf(messages));
      const lost = unknown.find(({ timeMs }) => timeMs > standing.settledAtMs);
      if (lost) {
        const { scheduleId, sequence, known } = lost;
        const why = `event ${sequence} of ${scheduleId} was published, and only ${known} are known`;
        await pauseFor('went_back', why);
      }
      return false;
    });
    if (standing.systemId !== null) await recordServer(db, standing);
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
      memory = (await file?.read()) ?? null;
      const standing = await look();
      if (!hasPosition)
        log.warn('the database does not report its log position; the last calls are compared');
      const server = hasPosition ? await findServer(db) : null;
      // A process that has sent nothing yet goes on from the server that was compared last.
      memory ??= { ...placeOf(standing), ...server, attempts: [] };
      isSameServer =
        (await act(standing, memory, null)) &&
        server?.systemId === standing.systemId &&
        server?.timeline === standing.timeline;
      const goOn = (): void => {
        if (isReady || !isSameServer) return;
        log.warn(
          'the bus does not answer; the database is the one that was compared last, so posts are sent',
        );
        isReady = true;
        wakeSender();
      };
      timers.push(setInterval(checkInBackground, checkEveryMs).unref());
      timers.push(setTimeout(goOn, busWithinMs).unref());
    },
    async compareWith(on) {
      bus = on;
      compareAnew();
      // Until the last one: a failover begins another.
      for (let last: unknown; last !== comparing; await last) last = comparing;
    },
    isReady: () => isReady,
    async check(sql) {
      const known = memory;
      const before = lastSeen;
      const standing = await readStanding(sql, rememberedIds(), hasPosition);
      if (judge(known, standing).kind === 'same' && !isShortened(before, standing))
        return isReady ? standing : null;
      checkInBackground();
      return null;
    },
    async remember({ missing: _, flushed: __, ...place }, attemptIds) {
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
    async stop() {
      for (const timer of timers) clearInterval(timer);
      stopped.abort();
      await comparing;
    },
  };
}
