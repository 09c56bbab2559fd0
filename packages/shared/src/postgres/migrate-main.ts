/**
 * `npm run migrate`: brings every schema of a database up to date. A mistake is reported in one sentence with
 * exit code 1. `--wait <seconds>`: how long a database that is being started is waited for, 30 by default.
 */
import { parseArgs } from 'node:util';
import { ConfigurationError, loadSettings, requireSettings } from '../kernel/index.ts';
import { type MigratedSchema, migrateAll, migrationSets, readerRole } from './migrate.ts';

const roles = [...migrationSets.map(set => set.schema), readerRole];

async function main(): Promise<void> {
  const settings = requireSettings(
    loadSettings(['DATABASE_URL', 'DATABASE_ROLE_PASSWORDS']),
    ['DATABASE_URL'],
    'the address of the database, with a role that may make roles and schemas',
  );
  const passwords = readPasswords(settings.DATABASE_ROLE_PASSWORDS ?? '');
  const migrated = await migrateAll({
    adminUrl: settings.DATABASE_URL,
    passwords,
    ...readWait(),
    onWait: reason => console.error(`hookline migrate: Waiting for the database: ${reason}.`),
  }).catch((error: unknown) => {
    throw new ConfigurationError(explain(error, settings.DATABASE_URL));
  });
  for (const schema of migrated) console.log(describe(schema));
}

/** @throws ConfigurationError for a `--wait` that is not a number of seconds */
function readWait(): { waitMs?: number } {
  const { wait } = parseArgs({ options: { wait: { type: 'string' } }, strict: false }).values;
  if (wait === undefined) return {};
  if (typeof wait !== 'string' || !/^\d{1,4}$/.test(wait))
    throw new ConfigurationError('--wait takes a number of seconds from 0 to 9999.');
  return { waitMs: Number(wait) * 1_000 };
}

/**
 * @throws ConfigurationError for an entry that is malformed, unknown or given twice; it never shows a
 * password.
 */
function readPasswords(list: string): Record<string, string> {
  const passwords: Record<string, string> = {};
  for (const [index, entry] of list.split(',').filter(Boolean).entries()) {
    const [, role, password] = /^\s*([a-z]+):(.+)$/.exec(entry) ?? [];
    if (role === undefined || password === undefined) {
      throw new ConfigurationError(
        `DATABASE_ROLE_PASSWORDS must be service:password[,service:password]; entry ${index + 1} is not.`,
      );
    }
    if (!roles.includes(role)) {
      throw new ConfigurationError(
        `DATABASE_ROLE_PASSWORDS names "${role}", which is none of ${roles.join(', ')}.`,
      );
    }
    if (passwords[role] !== undefined) {
      throw new ConfigurationError(`DATABASE_ROLE_PASSWORDS names "${role}" twice.`);
    }
    passwords[role] = password;
  }
  return passwords;
}

function explain(error: unknown, databaseUrl: string): string {
  const { code = '', message } = error as Error & { code?: string };
  if (code === '42501') {
    return `DATABASE_URL must name a role that may make roles and schemas; Postgres says: ${message}.`;
  }
  // 28: refused at sign-in; 3D000: no such database. Errors without an SQL state never reached Postgres.
  if (code.startsWith('28') || code === '3D000') return `Postgres refuses DATABASE_URL: ${message}.`;
  if (/^E[A-Z]+$/.test(code) || /timeout|Connection terminated/.test(message)) {
    return `The database at ${new URL(databaseUrl).host} cannot be reached (${code || message}).`;
  }
  if (/no password is given/.test(message)) {
    return `${message.replace(/\.$/, '')}: add it to DATABASE_ROLE_PASSWORDS (service:password[,service:password]).`;
  }
  return message.endsWith('.') ? message : `${message}.`;
}

function describe({ schema, applied }: MigratedSchema): string {
  if (applied.length === 0) return `${schema}: up to date`;
  return `${schema}: ${applied.length} applied (${applied.join(', ')})`;
}

try {
  await main();
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  console.error(`hookline migrate: ${error.message}`);
  process.exitCode = 1;
}
