import type { ServiceName } from '../contracts/scopes.ts';
import { ConfigurationError } from '../kernel/index.ts';
import type { Database } from './db.ts';
import { missingMigrations } from './migrate.ts';
import { requireSessions } from './session-probe.ts';

/**
 * Checks at the start that a service can work with its database: it answers, it gives sessions, its schema
 * exists.
 * @throws ConfigurationError with one sentence on what is missing or wrong
 */
export async function requireStore(db: Database, name: ServiceName): Promise<void> {
  const missing = await requireSessions(db.connectionString, name)
    .then(() => missingMigrations(db, name))
    .catch(error => {
      if (error instanceof ConfigurationError) throw error;
      throw new ConfigurationError(`The database of ${name} cannot be reached: ${(error as Error).message}.`);
    });
  if (missing.length > 0) {
    throw new ConfigurationError(
      `The schema of ${name} lacks ${missing.length} migrations (${missing[0]}); run "npm run migrate" first.`,
    );
  }
}
