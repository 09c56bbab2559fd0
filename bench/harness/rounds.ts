import { type Figure, figureOf } from './figures.ts';

/** Figures per candidate and measure: `table.gateway.cpuUs.median`. */
export type RoundTable = Record<string, Record<string, Figure>>;

/**
 * Measures every candidate once per round, A B C A B C, so that a disturbance of some seconds affects all of
 * them.
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

/** Prints median, minimum and maximum of each measure; one line per candidate. */
export function printTable(title: string, table: RoundTable, measures: readonly string[]): void {
  console.log(`\n${title.padEnd(28)}${measures.map(name => name.padStart(26)).join('')}`);
  for (const [name, figures] of Object.entries(table)) {
    const cells = measures.map(measure => {
      const { median, min, max } = figures[measure] as Figure;
      return [median, min, max].map(value => value.toFixed(value < 100 ? 1 : 0)).join(' / ');
    });
    console.log(`${name.padEnd(28)}${cells.map(cell => cell.padStart(26)).join('')}`);
  }
}
