/** The declaration of a bench, and the context that `npm run bench` passes to it. */
import type { Flags, FlagValues } from '../../tests/lab/kit/run/flags.ts';
import type { Ratios } from './results.ts';

export type BenchRun<F extends Flags = Flags> = {
  /** Removed at the end. */
  workDir: string;
  flags: FlagValues<F>;
  /** Starts the measurement of other processes' CPU use; without this call it covers the whole run. */
  beginMeasuring(): void;
};

export type Measurement = {
  /** The method, the settings and the limits of the measurement; one sentence each. */
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
  /** Measures this version and the one in `tree` in turns; without it the whole bench of both is run in turns. */
  compare?(given: { workDir: string; tree: string }): Promise<Ratios>;
};

/** Preserves the types of the flags. */
export function defineBench<const F extends Flags = Record<never, never>>(bench: Bench<F>): Bench {
  return bench as unknown as Bench;
}
