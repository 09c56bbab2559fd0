/** What a bench declares of itself, and what `npm run bench` hands it. */
import type { Flags, FlagValues } from '../../tests/lab/kit/run/flags.ts';

export type BenchRun<F extends Flags = Flags> = {
  /** Removed at the end. */
  workDir: string;
  flags: FlagValues<F>;
  /** What other processes use of the machine counts from here; without it, from the start. */
  beginMeasuring(): void;
};

export type Measurement = {
  /** What was measured, how, and with what settings; one sentence each. */
  notes: readonly string[];
  measured: Record<string, unknown>;
  /** Only a part was measured: it is printed, no goal is judged and nothing is written. */
  isPart?: boolean;
};

export type Bench<F extends Flags = Flags> = {
  /** One line. */
  about: string;
  takes: string;
  flags?: F;
  run(given: BenchRun<F>): Promise<Measurement>;
};

/** Keeps the types of the flags. */
export function defineBench<const F extends Flags = Record<never, never>>(bench: Bench<F>): Bench {
  return bench as unknown as Bench;
}
