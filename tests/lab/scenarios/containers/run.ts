import type { Figures } from '../../kit/run/scenario.ts';
import type { Engine } from './engine.ts';

/** What the parts of a run share. */
export type Run = {
  engine: Engine;
  figures: Figures;
  complaints: string[];
  compose(...args: string[]): Promise<string>;
  timed<T>(name: string, work: () => Promise<T>): Promise<T>;
};
