/** DELETE against the sender: sent within 5 ms of the due time, so that both compete for the row. */
/** One creator with one schedule at a time. */
import { setTimeout as wait } from 'node:timers/promises';
export type Lane = {
  create(title: string, scheduledFor: Date): Promise<string>;
  /** DELETE's answer: `deleted`, or the error's code. */
  remove(id: string): Promise<string>;
};

export type RaceLine = {
  kind: 'raced';
  title: string;
  id: string;
  answer: string;
  /** Time of sending DELETE, relative to the due time. */
  offsetMs: number;
};

export type RaceOptions = {
  lanes: readonly Lane[];
  count: number;
  /**
   * Counts only races within the window; those that the machine sent outside of it still run and are checked.
   */
  isStrict: boolean;
  /** Time from the first request of a round to its first due time: longer than all its requests take. */
  leadMs: number;
  /** Removes the limit of 6 a minute. */
  beforeRound(): Promise<void>;
  /** Resolves when no schedule is pending or being sent. */
  untilNoneIsOpen(): Promise<void>;
  onRace(line: RaceLine): void;
};

export const windowMs = 5;
const spacingMs = 7;
const roundsMaxFactor = 4;

export function isWithinWindow({ offsetMs }: RaceLine): boolean {
  return Math.abs(offsetMs) <= windowMs;
}

/** Runs rounds of one race per lane until enough were counted, or four times as many were run. */
export async function runDeleteRaces(options: RaceOptions): Promise<void> {
  const { lanes, count, isStrict, beforeRound } = options;
  const roundsMax = Math.ceil((roundsMaxFactor * count) / lanes.length);
  let counted = 0;
  for (let round = 0; round < roundsMax && counted < count; round += 1) {
    await beforeRound();
    const firstDueMs = Date.now() + options.leadMs;
    const races = lanes.map((lane, at) =>
      race(lane, `race ${round} ${at}`, firstDueMs + at * spacingMs, options),
    );
    for (const line of await Promise.all(races)) if (!isStrict || isWithinWindow(line)) counted += 1;
    await options.untilNoneIsOpen();
  }
}

async function race(lane: Lane, title: string, dueMs: number, { onRace }: RaceOptions): Promise<RaceLine> {
  const id = await lane.create(title, new Date(dueMs));
  await until(dueMs - windowMs + Math.random() * 2 * windowMs);
  const offsetMs = preciseNow() - dueMs;
  const answer = await lane.remove(id);
  const line: RaceLine = { kind: 'raced', title, id, answer, offsetMs };
  onRace(line);
  return line;
}

function preciseNow(): number {
  return performance.timeOrigin + performance.now();
}

/** Timers are accurate to a millisecond or two: the rest is spent in event-loop turns. */
async function until(timeMs: number): Promise<void> {
  const roughMs = timeMs - preciseNow() - 3;
  if (roughMs > 0) await wait(roughMs);
  while (preciseNow() < timeMs) await new Promise(resolve => setImmediate(resolve));
}
