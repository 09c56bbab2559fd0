/**
 * A database can go back in time: by a failover that lost commits, a point-in-time recovery, a snapshot.
 * Sending from it would repeat posts. Three witnesses outlive it: this process' memory, a file, and the
 * service's own events on the bus. Any of them opens a pause, which an operator ends with `close-after`.
 */
import type { Bus } from '@hookline/shared/bus';
import type { Logger } from '@hookline/shared/kernel';
import { dayMs } from '@hookline/shared/kernel/durations';
import type { Database, Sql } from '@hookline/shared/postgres';
import { createBusComparison } from './bus-comparison.ts';
import { ownEventsOf, ownTopic } from './own-event.rules.ts';
import { openPause } from './queries.ts';
import {
  canReadPosition,
  findServer,
  listNewestAttempts,
  listUnknown,
  readStanding,
  recordServer,
  type Server,
} from './queries-witness.ts';
import { judge, listCalls, type Memory, rememberCalls, type Standing } from './went-back.rules.ts';
import type { WitnessFile } from './witness-file.ts';

export type DatabaseWatch = {
  /** `onReady` is called when `isReady` turns true. */
  start(onReady: () => void): Promise<void>;
  /** Compares the newest events on the bus with the database, before this process publishes any. */
  compareWith(bus: Pick<Bus, 'readBack'>): Promise<void>;
  /** Nothing is claimed until the database is known to have what the witnesses remember. */
  isReady(): boolean;
  /** The transaction that begins calls checks. Null: no call may begin, the database may have gone back. */
  check(sql: Sql): Promise<Standing | null>;
  /** Call it after that transaction's commit is acknowledged, before the calls. Never throws. */
  remember(standing: Standing, attemptIds: readonly string[]): Promise<void>;
  stop(): Promise<void>;
};

type WatchOptions = {
  db: Database;
  log: Logger;
  now: () => Date;
  /** The start waits so long for the bus, if the database is the one that was compared last. */
  busWithinMs: number;
};

const checkEveryMs = 10_000;
// Attempts of withdrawn schedules are deleted after 7 days.
const rememberedForMs = 6 * dayMs;
// Within this time every other worker checks at least twice that all it committed is there.
const failoverPauseMs = 25_000;

/** `newest` names attempts that every sender made. */
type Look = { standing: Standing; newest: readonly string[] };
/** What was remembered before the look: a batch may have remembered a later position since. */
type Before = { memory: Memory | null; last: Look | null };

/** Without a file only the bus outlives this process. */
export function createDatabaseWatch(options: WatchOptions, file: WitnessFile | null): DatabaseWatch {
  const { db, log, now, busWithinMs } = options;
  let memory: Memory | null = null;
  let last: Look | null = null;
  let hasPosition = false;
  let checks: NodeJS.Timeout | undefined;
  const pauseFor = createPauser(options);
  const comparison = createBusComparison(log, bus => compareWithBus(db, bus, { hasPosition, pauseFor }));

  const rememberedSince = (): Date => new Date(now().getTime() - rememberedForMs);
  const rememberedIds = (): string[] =>
    listCalls(memory, rememberedSince().getTime()).concat(last?.newest ?? []);

  /** Do not call it in a transaction, which a refusal to read the position would abort. */
  async function look(): Promise<Look> {
    hasPosition = await canReadPosition(db);
    const newest = await listNewestAttempts(db, rememberedSince());
    return { newest, standing: await readStanding(db, rememberedIds(), hasPosition) };
  }

  /** @returns true if calls may begin. */
  async function act(seen: Look, before: Before): Promise<boolean> {
    const verdict = judge(before.memory, seen.standing, before.last?.standing ?? null);
    if (verdict.kind === 'went_back') {
      await pauseFor('went_back', verdict.why);
      return false;
    }
    last = seen;
    if (verdict.kind === 'same') return true;
    // Another check was faster, or a batch has remembered calls that this reading may not have.
    if (memory !== before.memory) return false;
    // The pause gives the other workers time to check: they may remember commits that this process never saw.
    // The server becomes known after it, so that a failed pause is tried again.
    if (verdict.kind === 'moved') await pauseFor('failover', '');
    if (memory !== before.memory) return false;
    const attempts = verdict.kind === 'settled' ? [] : (memory?.attempts ?? []);
    memory = { ...placeOf(seen.standing, hasPosition), attempts };
    if (verdict.kind === 'moved') comparison.restart();
    return false;
  }

  function checkInBackground(): void {
    const before = { memory, last };
    look()
      .then(seen => act(seen, before))
      .catch(error => log.debug({ err: error }, 'the database could not be checked'));
  }

  return {
    async start(onReady) {
      comparison.start(onReady);
      memory = (await file?.read()) ?? null;
      const seen = await look();
      if (!hasPosition) log.warn('the database reports no log position: the last calls are compared');
      const server = hasPosition ? await findServer(db) : null;
      // A process that has sent nothing yet goes on from the server that was compared last.
      memory ??= { ...placeOf(seen.standing, hasPosition), ...server, attempts: [] };
      const mayCall = await act(seen, { memory, last: null });
      if (mayCall && isSameServer(server, seen.standing)) comparison.goOnAfter(busWithinMs);
      checks = setInterval(checkInBackground, checkEveryMs).unref();
    },
    compareWith: comparison.run,
    isReady: comparison.isReady,
    async check(sql) {
      const before = { memory, lastStanding: last?.standing ?? null };
      const standing = await readStanding(sql, rememberedIds(), hasPosition);
      const isSame = judge(before.memory, standing, before.lastStanding).kind === 'same';
      if (!isSame) checkInBackground();
      return isSame && comparison.isReady() ? standing : null;
    },
    async remember(standing, attemptIds) {
      memory = rememberCalls(memory, standing, { attemptIds, atMs: now().getTime() });
      await file?.write(memory);
    },
    async stop() {
      clearInterval(checks);
      await comparison.stop();
    },
  };
}

type Pauser = (cause: 'went_back' | 'failover', why: string) => Promise<void>;

/** Each reason is logged once. */
function createPauser({ db, log, now }: WatchOptions): Pauser {
  let reported = '';
  return async (cause, why) => {
    const wentBack = cause === 'went_back';
    const reason = wentBack ? `the database went back in time: ${why}` : 'another database server answers';
    const pause = await db.transaction(tx =>
      openPause(tx, { reason, cause, ...(wentBack ? {} : { forMs: failoverPauseMs }) }, now()),
    );
    if (wentBack && (pause.isNew || reported !== why)) log.error({ why }, 'the database went back in time');
    else if (pause.isNew) log.warn({ forMs: failoverPauseMs }, 'another database server answers');
    if (wentBack) reported = why;
  };
}

function isSameServer(server: Server | null, seen: Standing): boolean {
  return server !== null && server.systemId === seen.systemId && server.timeline === seen.timeline;
}

/** A log position that is read outside a commit is left out: a crash that loses no commit may lose it. */
function placeOf({ systemId, timeline, settledAtMs }: Standing, hasPosition: boolean) {
  return { systemId, timeline, lsn: hasPosition ? '0' : null, settledAtMs };
}

/**
 * Every event is committed before it is published, so the bus is ahead only of a database that went back. Its
 * commits are a prefix of what they were: where the newest events are known, all before them are.
 */
async function compareWithBus(
  db: Database,
  bus: Pick<Bus, 'readBack'>,
  { hasPosition, pauseFor }: { hasPosition: boolean; pauseFor: Pauser },
): Promise<void> {
  const standing = await readStanding(db, [], hasPosition);
  await bus.readBack(ownTopic, async messages => {
    const unknown = await listUnknown(db, ownEventsOf(messages));
    const lost = unknown.find(({ timeMs }) => timeMs > standing.settledAtMs);
    if (lost) {
      const { scheduleId, sequence, storedSequence } = lost;
      await pauseFor(
        'went_back',
        `event ${sequence} of ${scheduleId} was published, and only ${storedSequence} are known`,
      );
    }
    return false;
  });
  if (standing.systemId !== null) await recordServer(db, standing);
}
