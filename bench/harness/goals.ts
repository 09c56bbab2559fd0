import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One entry of `goals.json`: compares the value at `value` (a dotted path into the result) with a bound. */
export type Goal = {
  id: string;
  bench: string;
  text: string;
  value: string;
  atMost?: number;
  atLeast?: number;
  /** Measured only when the run was started with `--long`. */
  longOnly?: true;
  /** `--against` compares this figure of two versions. */
  compared?: true;
};

/** `value` is null when this run did not measure it. */
export type JudgedGoal = Goal & { measured: number | null; verdict: 'met' | 'not met' | 'not measured' };

/** @param result the bench's measurements. @throws Error when a full run lacks a value that a goal names */
export function judgeGoals(
  bench: string,
  result: unknown,
  goals: readonly Goal[] = readGoals(),
): JudgedGoal[] {
  return goals
    .filter(goal => goal.bench === bench)
    .map(goal => {
      const measured = valueAt(result, goal.value);
      if (measured === null) {
        if (!goal.longOnly)
          throw new Error(`goals.json: ${goal.id} names ${goal.value}, which was not measured`);
        return { ...goal, measured, verdict: 'not measured' };
      }
      const isMet = measured <= (goal.atMost ?? Infinity) && measured >= (goal.atLeast ?? -Infinity);
      return { ...goal, measured, verdict: isMet ? 'met' : 'not met' };
    });
}

export function readGoals(): Goal[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../goals.json'), 'utf8')) as Goal[];
}

/** The number at a dotted path, or null. */
export function valueAt(result: unknown, path: string): number | null {
  let value = result;
  for (const name of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'number' ? value : null;
}
