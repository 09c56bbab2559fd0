/**
 * A process that runs two statements in a given order, many times, and prints how often the answer was right,
 * wrong or an error. Arguments: the database URL, then the order, `ab` or `ba`.
 */

import { createLogger } from '@hookline/shared/kernel';
import { openDatabase } from '@hookline/shared/postgres';

export type StatementCounts = { right: number; wrong: number; failed: number };

const timesEach = 300;
const [url = '', order = ''] = process.argv.slice(2);
const db = openDatabase({
  url,
  connectionsMax: 3,
  name: 'ask statements',
  log: createLogger({ service: 'test', level: 'silent' }),
});
const counts: StatementCounts = { right: 0, wrong: 0, failed: 0 };

async function ask(letter: string): Promise<void> {
  try {
    const text = `select $1::text || ' answered by ${letter}' as answer`;
    const [row] = await db.transaction(tx => tx.query<{ answer: string }>(text, [letter]));
    counts[row?.answer === `${letter} answered by ${letter}` ? 'right' : 'wrong'] += 1;
  } catch {
    counts.failed += 1;
  }
}

for (const letter of order) await ask(letter);
for (let time = 0; time < timesEach; time += 1) await Promise.all([...'ab'].map(ask));
await db.close();
console.log(JSON.stringify(counts));
