/** The product's database as a superuser sees it who is no part of the product. */

import { createLogger } from '@hookline/shared/kernel';
import { type Database, openDatabase } from '@hookline/shared/postgres';

export function openAsSuperuser(url: string): Database {
  const log = createLogger({ service: 'proof', level: 'silent' });
  return openDatabase({ url, connectionsMax: 2, name: 'proof run', log });
}

export async function countOpen(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from scheduling.schedules where status in ('pending', 'sending')`,
  );
  return row?.count ?? 0;
}
