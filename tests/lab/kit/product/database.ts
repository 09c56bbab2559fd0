/** The product's database through a superuser outside the product. */

import { createLogger } from '@hookline/shared/kernel';
import { type Database, openDatabase } from '@hookline/shared/postgres';
import { eventually } from '@hookline/testing/eventually';

const settledWithinMs = 120_000;

export function openAsSuperuser(url: string): Database {
  const log = createLogger({ service: 'proof', level: 'silent' });
  return openDatabase({ url, connectionsMax: 2, name: 'proof run', log });
}

/** Waits until no schedule is pending or being sent. @throws Error when some still are after 2 minutes */
export async function untilNoneIsOpen(db: Database): Promise<void> {
  await eventually(async () => {
    const open = await countOpen(db);
    if (open > 0) throw new Error(`${open} schedules are open`);
  }, settledWithinMs);
}

/** Number of schedules that are pending or being sent. */
export async function countOpen(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from scheduling.schedules where status in ('pending', 'sending')`,
  );
  return row?.count ?? 0;
}
