import { setTimeout as wait } from 'node:timers/promises';
import type { Ground } from './ground.ts';

/** Ends the fault. */
export type Undo = () => Promise<void>;

/** A fault, and the alerts that must fire because of it and stop after it. */
export type AlertFault = {
  name: string;
  alerts: readonly string[];
  /** Where the longest window of an alert takes longer than most to empty itself of the fault. */
  clearsWithinMs?: number;
  provoke(ground: Ground): Promise<Undo>;
};

const staggerMs = 600;

/** Does the work again and again until it is ended; what fails is part of the fault. */
export function keepDoing(work: () => Promise<unknown>, everyMs: number): Undo {
  return keepDoingAtOnce(1, work, everyMs);
}

/** Several workers at the same thing, begun one after the other so that they do not go in step. */
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

/** One statement now, and another that takes it back. */
export async function change(ground: Ground, statement: string, back: string): Promise<Undo> {
  const client = await ground.connect();
  await client.query(statement);
  return async () => {
    await client.query(back);
  };
}
