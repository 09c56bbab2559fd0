/**
 * The clock of a service: the database's time, advanced by the monotonic clock. Replicas share it whatever
 * their own clocks say, so a lease means the same to all of them, and no clock step makes anything due.
 */

import type { Logger } from '../kernel/index.ts';
import type { Sql } from './db.ts';

export type DatabaseClock = {
  now(): Date;
  /** How far the database's clock was ahead of this machine's when it was last read. */
  aheadMs(): number;
  /** False while the database's clock is over 30 s from where both clocks of this machine expect it. */
  isSteady(): boolean;
  stop(): void;
};

const checkEveryMs = 10_000;
/** A slower answer does not say precisely enough when it was given. */
const answerWithinMs = 250;
/** At the start, when there is no earlier answer to go by: 0.75 s of slow ones. */
const firstChecksMax = 3;
const jumpMs = 30_000;

/**
 * The database's time minus this machine's: its monotonic clock, which a suspended machine stops, and its wall
 * clock, which may be set.
 */
type Offsets = { monotonicMs: number; wallMs: number };

/**
 * Reads the database's clock now and every 10 s. Until it has answered in time the machine's own clock is
 * used.
 */
export async function startDatabaseClock(sql: Pick<Sql, 'query'>, log: Logger): Promise<DatabaseClock> {
  let read: Offsets = { monotonicMs: Date.now() - performance.now(), wallMs: 0 };
  /** The clocks at the last reading without a jump. */
  let expected: Offsets | undefined;

  function isSteady(): boolean {
    if (!expected) return true;
    const movedMs = Math.min(
      Math.abs(read.monotonicMs - expected.monotonicMs),
      Math.abs(read.wallMs - expected.wallMs),
    );
    return movedMs <= jumpMs;
  }

  /** Returns whether it was answered in time. */
  async function check(): Promise<boolean> {
    const askedMs = performance.now();
    const [row] = await sql.query<{ atMs: number }>(
      `select (extract(epoch from clock_timestamp()) * 1000)::float8 as "atMs"`,
    );
    const answeredMs = performance.now();
    if (!row || answeredMs - askedMs > answerWithinMs) return false;
    const monotonicMs = row.atMs - (askedMs + answeredMs) / 2;
    const wasSteady = isSteady();
    read = { monotonicMs, wallMs: monotonicMs + performance.now() - Date.now() };
    if (isSteady()) expected = read;
    else if (wasSteady) log.error({ ...read, expected }, "the database's clock jumped");
    return true;
  }

  const checkOrGoOn = (): Promise<boolean> =>
    check().catch(error => {
      log.debug({ err: error }, 'the database did not report its time');
      return false;
    });
  for (let checks = 0; checks < firstChecksMax && !(await checkOrGoOn()); checks += 1);
  const timer = setInterval(checkOrGoOn, checkEveryMs);
  timer.unref();
  return {
    now: () => new Date(read.monotonicMs + performance.now()),
    aheadMs: () => read.wallMs,
    isSteady,
    stop: () => clearInterval(timer),
  };
}
