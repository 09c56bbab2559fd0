/**
 * Detects a database that went back in time: a failover that lost commits, a point-in-time recovery, a
 * snapshot. Sending from it would repeat posts. Three witnesses outlive it: this process' memory, a file, and
 * the service's own events on the bus. Any of them opens a pause, which an operator ends with `close-after`.
 */
import type { Bus } from '@hookline/shared/bus';
import type { Topic } from '@hookline/shared/events';
import type { Logger } from '@hookline/shared/kernel';
import { dayMs } from '@hookline/shared/kernel/durations';
import type { Database, Sql } from '@hookline/shared/postgres';
import type { WitnessFile } from '../adapters/witness-file.ts';
import {
  adoptOffsets,
  canReadPosition,
  listRecordedOffsets,
  type OwnEvent,
  readStanding,
  recordOwnEvent,
} from '../queries/database-witness.ts';
import { openPause } from '../queries/sending-pauses.ts';
import { type BusOffset, judge, judgeOffsets, type Memory, type Standing } from '../rules/went-back.ts';

export type DatabaseWatch = {
  /** Reads the file and checks the database. @param onReady called when `isReady` turns true. */
  start(onReady: () => void): Promise<void>;
  /**
   * Compares with the bus in the background. Call it once, after this service has subscribed to its own
   * events.
   */
  compareWith(bus: Pick<Bus, 'lag'>): void;
  /**
   * False until the database is known to have everything that the witnesses remember: nothing is claimed
   * before.
   */
  isReady(): boolean;
  /** For the transaction that begins calls. Null: no call may begin, the database may have gone back. */
  check(sql: Sql): Promise<Standing | null>;
  /** Call after that transaction's commit is acknowledged, before the calls. Never throws. */
  remember(standing: Standing, attemptIds: readonly string[]): Promise<void>;
  /** Compares an event of this service that was read back from the bus. */
  witness(event: OwnEvent & { sequence: number; time: Date }): Promise<void>;
  stop(): Promise<void>;
};

/** The service's own events, read back. */
export const ownEvents: { group: string; topics: readonly Topic[] } = {
  group: 'scheduling.own-events',
  topics: ['scheduling.schedules'],
};

const checkEveryMs = 10_000;
const retryMs = 500;
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
  let background: Promise<void> = Promise.resolve();

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

  /** @returns true if calls may begin. */
  async function act(standing: Standing): Promise<boolean> {
    const verdict = judge(memory, standing);
    if (verdict.kind === 'same') return true;
    if (verdict.kind === 'went_back') {
      await pauseFor('went_back', verdict.why);
      return false;
    }
    const { missing: _, ...place } = standing;
    memory = { ...place, attempts: verdict.kind === 'settled' ? [] : (memory?.attempts ?? []) };
    // The pause gives the others time to check: they may remember commits that this process never saw.
    if (verdict.kind === 'moved') await pauseFor('failover', '');
    return false;
  }

  async function checkNow(): Promise<void> {
    await act(await readStanding(db, rememberedIds(), hasPosition));
  }

  /** Waits until this service has read its own events up to the end of the bus at its start. */
  async function compareWithBus(bus: Pick<Bus, 'lag'>): Promise<void> {
    let hasComplained = false;
    let target: Map<string, number> | undefined;
    for (; !stopped.signal.aborted; await pauseUnlessStopped(retryMs)) {
      try {
        const offsets = await bus.lag(ownEvents.group, ownEvents.topics);
        const recorded = await listRecordedOffsets(db);
        if (recorded.length === 0) {
          // The first start of this version, or just settled: no known event can be missing.
          await adoptOffsets(db, offsets.map(toRecorded));
          break;
        }
        await adoptOffsets(db, offsets.map(toRecorded));
        const verdict = judgeOffsets(recorded, offsets);
        if (verdict.kind === 'went_back') {
          await pauseFor('went_back', verdict.why);
          break;
        }
        target ??= new Map(offsets.map(one => [placeOf(one), one.end]));
        const isRead = (one: BusOffset & { lag: number }): boolean => {
          const here = recorded.find(other => placeOf(other) === placeOf(one))?.settled ?? 0;
          return one.lag === 0 || here >= (target?.get(placeOf(one)) ?? 0);
        };
        if (offsets.every(isRead)) break;
      } catch (error) {
        if (!hasComplained)
          log.warn({ err: error }, 'the bus cannot be compared with the database yet; nothing is sent');
        hasComplained = true;
      }
    }
    if (stopped.signal.aborted) return;
    isReady = true;
    wakeSender();
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
      await checkNow();
      timer = setInterval(() => {
        checkNow().catch(error => log.debug({ err: error }, 'the database could not be checked'));
      }, checkEveryMs).unref();
    },
    compareWith(bus) {
      background = compareWithBus(bus);
    },
    isReady: () => isReady,
    async check(sql) {
      const standing = await readStanding(sql, rememberedIds(), hasPosition);
      return judge(memory, standing).kind === 'same' ? standing : null;
    },
    async remember({ missing: _, ...place }, attemptIds) {
      const newest = attemptIds.slice(-1).map(id => ({ id, atMs: now().getTime() }));
      // Commits of two batches are acknowledged in any order: keep the later position.
      const isLater =
        !memory?.lsn || memory.systemId !== place.systemId || BigInt(place.lsn ?? 0) >= BigInt(memory.lsn);
      memory = {
        ...(isLater ? place : memory!),
        attempts: [...(memory?.attempts ?? []), ...newest].slice(-rememberedMax),
      };
      await file?.write(memory);
    },
    async witness(event) {
      const sequence = await recordOwnEvent(db, event);
      if (event.scheduleId === null || event.sequence <= sequence) return;
      const { settledAtMs } = await readStanding(db, [], false);
      if (event.time.getTime() <= settledAtMs) return;
      const why = `event ${event.sequence} of ${event.scheduleId} was published, and only ${sequence} are known`;
      await pauseFor('went_back', why);
    },
    async stop() {
      clearInterval(timer);
      stopped.abort();
      await background;
    },
  };
}

const placeOf = ({ topic, partition }: { topic: string; partition: number }): string =>
  `${topic}/${partition}`;

function toRecorded({ topic, partition, confirmed }: BusOffset) {
  return { topic, partition, settled: confirmed ?? 0 };
}
