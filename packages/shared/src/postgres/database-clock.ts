/**
 * The time of a service: the database's, carried on by the monotonic clock. Replicas share it whatever their machines
 * say, so a lease that one takes means the same to the others, and no step of a wall clock makes anything due.
 */

import type { Logger } from '../kernel/index.ts';
import type { Sql } from './db.ts';

export type DatabaseClock = {
  now(): Date;
  stop(): void;
};

const lookEveryMs = 10_000;
/** An answer that took longer does not say well enough when it was given. */
const answerWithinMs = 250;

/** Looks at the database's clock now and every 10 s. Until it has answered in time the machine's own clock counts. */
export async function startDatabaseClock(sql: Sql, log: Logger): Promise<DatabaseClock> {
  let offsetMs = Date.now() - performance.now();

  async function look(): Promise<void> {
    const askedMs = performance.now();
    const [row] = await sql.query<{ atMs: number }>(
      `select (extract(epoch from clock_timestamp()) * 1000)::float8 as "atMs"`,
    );
    const answeredMs = performance.now();
    if (!row || answeredMs - askedMs > answerWithinMs) return;
    offsetMs = row.atMs - (askedMs + answeredMs) / 2;
  }

  const lookOrGoOn = (): Promise<void> =>
    look().catch(error => log.debug({ err: error }, 'the database did not tell the time'));
  await lookOrGoOn();
  const timer = setInterval(lookOrGoOn, lookEveryMs);
  timer.unref();
  return {
    now: () => new Date(offsetMs + performance.now()),
    stop: () => clearInterval(timer),
  };
}
