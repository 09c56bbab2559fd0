import { createLogger, type Logger } from '@hookline/shared/kernel';
import { type Database, openDatabase } from '@hookline/shared/postgres';
import { eventually } from './eventually.ts';

export const silent: Logger = createLogger({ service: 'test', level: 'silent' });

export function openTestDatabase(url: string, connectionsMax = 4): Database {
  return openDatabase({ url, connectionsMax, name: 'test', log: silent });
}

/** A database of the product, or a client of node-postgres. */
type Queried = { query(text: string, values: string[]): Promise<unknown[] | { rows: unknown[] }> };

/**
 * Waits until at least so many statements that match `pattern` wait for a lock. Only this database's: other
 * tests wait for locks on the same server.
 */
export function lockWaits(db: Queried, count = 1, pattern = '%'): Promise<void> {
  const text = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    and query like $1`;
  return eventually(async () => {
    const found = await db.query(text, [pattern]);
    const waiting = (Array.isArray(found) ? found : found.rows).length;
    if (waiting < count) throw new Error(`${waiting} instead of ${count} wait for a lock`);
  }, 20_000);
}
