import { type Figure, figureOf } from './figures.ts';

/** Figures per candidate and measure: `table.gateway.cpuUs.median`. */
export type RoundTable = Record<string, Record<string, Figure>>;

/**
 * Measures every candidate once per round, A B C A B C, so that what shakes the machine for some seconds shakes
 * all of them.
 */
export async function runRounds<C extends { name: string }>(
  candidates: readonly C[],
  roundsMin: number,
  measure: (candidate: C) => Promise<Record<string, number>>,
): Promise<RoundTable> {
  const values = new Map<string, Map<string, number[]>>(candidates.map(({ name }) => [name, new Map()]));
  for (let round = 0; round < roundsMin; round += 1) {
    for (const candidate of candidates) {
      const measures = values.get(candidate.name) as Map<string, number[]>;
      for (const [measureName, value] of Object.entries(await measure(candidate))) {
        measures.set(measureName, [...(measures.get(measureName) ?? []), value]);
      }
    }
  }
  const table: RoundTable = {};
  for (const [name, measures] of values) {
    table[name] = Object.fromEntries([...measures].map(([key, rounds]) => [key, figureOf(rounds)]));
  }
  return table;
}
