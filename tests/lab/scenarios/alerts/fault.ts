import { setTimeout as wait } from 'node:timers/promises';
import type { Ground } from './ground.ts';

/** Ends the fault. */
export type Undo = () => Promise<void>;

/** A fault, and the alerts that must fire because of it and stop after it. */
export type AlertFault = {
  name: string;
  alerts: readonly string[];
  /** For alerts whose longest window takes longer than most to clear. */
  clearsWithinMs?: number;
  provoke(ground: Ground): Promise<Undo>;
};

const staggerMs = 600;

/** Repeats the work until it is ended; failures are part of the fault. */
export function keepDoing(work: () => Promise<unknown>, everyMs: number): Undo {
  return keepDoingAtOnce(1, work, everyMs);
}

/** Several workers on the same task, started one after the other so that they do not run in lockstep. */
export function keepDoingAtOnce(workers: number, work: () => Promise<unknown>, everyMs: number): Undo {
  let isOver = false;
  const running = Array.from({ length: workers }, async (_, nth) => {
    await wait(nth * staggerMs);
    while (!isOver) {
      await work().catch(() => {});
      await wait(everyMs);
    }
  });
  return async () => {
    isOver = true;
    await Promise.all(running);
  };
}

/** Holds locks in a transaction that stays open until it is undone. */
export async function hold(ground: Ground, statement: string): Promise<Undo> {
  const client = await ground.connect();
  await client.query('begin');
  await client.query(statement);
  return async () => {
    await client.query('rollback');
  };
}

/** Runs one statement now, and another that reverts it. */
export async function change(ground: Ground, statement: string, back: string): Promise<Undo> {
  const client = await ground.connect();
  await client.query(statement);
  return async () => {
    await client.query(back);
  };
}
