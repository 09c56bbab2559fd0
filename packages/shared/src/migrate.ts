import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/** One schema and the folders whose `.sql` files make it, in the order of folders, then of file names. */
export type MigrationSet = { schema: string; folders: readonly string[] };

export type MigrateOptions = {
  /** Connection of a role that may create roles and schemas. */
  adminUrl: string;
  /** Password of each schema's role. */
  passwords: Readonly<Record<string, string>>;
  sets?: readonly MigrationSet[];
};

/** What was done to a schema: the migrations that ran now, in order; empty when it was up to date. */
export type MigratedSchema = { schema: string; applied: string[] };

const repositoryRoot = fileURLToPath(new URL('../../../', import.meta.url));
const folder = (path: string): string => `${repositoryRoot}${path}`;

/** Every schema of the product. `bus` is the Postgres log of the embedded mode. */
export const migrationSets: readonly MigrationSet[] = [
  { schema: 'bus', folders: [folder('packages/shared/migrations/bus')] },
  { schema: 'gateway', folders: [folder('services/gateway/migrations')] },
  ...['content', 'scheduling', 'automation', 'analytics'].map(schema => ({
    schema,
    folders: [folder('packages/shared/migrations/messaging'), folder(`services/${schema}/migrations`)],
  })),
];

// Any constant will do, as long as every starter uses the same.
const migrationLock = 7_215_001;

// Who waits for a lock holds up everybody who comes after. So the product at work waits for a migration no longer than
// this, and the migration comes back, for about a minute in all.
const lockTimeoutMs = 200;
const lockPauseMs = 300;
const lockTurnsMax = 120;

/**
 * Brings every schema up to date. Forward only; each file runs once, in its own transaction, recorded with
 * its digest. Safe to run from several starters at once. A file that was changed after it ran is an error.
 * @returns what was done, schema by schema.
 */
export async function migrateAll({
  adminUrl,
  passwords,
  sets = migrationSets,
}: MigrateOptions): Promise<MigratedSchema[]> {
  const client = new pg.Client({
    connectionString: adminUrl,
    application_name: 'hookline migrate',
    connectionTimeoutMillis: 10_000,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    const migrated: MigratedSchema[] = [];
    for (const set of sets) {
      migrated.push({ schema: set.schema, applied: await migrateSchema(client, set, passwords[set.schema]) });
    }
    return migrated;
  } finally {
    await client.end();
  }
}

async function migrateSchema(
  client: pg.Client,
  set: MigrationSet,
  password: string | undefined,
): Promise<string[]> {
  const schema = pg.escapeIdentifier(set.schema);
  await ensureRole(client, set.schema, password);
  await client.query(`create schema if not exists ${schema}`);
  await client.query(`
    create table if not exists ${schema}.migrations (
      name text primary key,
      digest text not null,
      applied_at timestamptz not null default now()
    )`);
  const applied = await client.query<{ name: string; digest: string }>(
    `select name, digest from ${schema}.migrations`,
  );
  const digests = new Map(applied.rows.map(row => [row.name, row.digest]));
  const names: string[] = [];
  for (const { name, sql } of await readMigrations(set.folders)) {
    const digest = createHash('sha256').update(sql).digest('hex');
    const known = digests.get(name);
    if (known === digest) continue;
    if (known)
      throw new Error(`The migration ${set.schema}/${name} was changed after it ran; add a new one.`);
    await runFile(client, { path: `${set.schema}/${name}`, name, schema, digest, sql });
    names.push(name);
  }
  await grantDataRights(client, schema, pg.escapeIdentifier(set.schema));
  return names;
}

/** One file in one transaction, begun again while another transaction holds a lock that it needs. */
async function runFile(
  client: pg.Client,
  file: { path: string; name: string; schema: string; digest: string; sql: string },
): Promise<void> {
  for (let turn = 1; ; turn += 1) {
    await client.query('begin');
    try {
      await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
      await client.query(`set local search_path to ${file.schema}`);
      await client.query(`insert into ${file.schema}.migrations (name, digest) values ($1, $2)`, [
        file.name,
        file.digest,
      ]);
      await client.query(file.sql);
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      const isLocked = (error as { code?: string }).code === '55P03';
      if (isLocked && turn < lockTurnsMax) {
        await delay(lockPauseMs);
        continue;
      }
      throw new Error(`The migration ${file.path} failed: ${(error as Error).message}`, { cause: error });
    }
  }
}

/** The role may read and change its schema's rows, and nothing else anywhere. */
async function grantDataRights(client: pg.Client, schema: string, role: string): Promise<void> {
  await client.query(`
    grant usage on schema ${schema} to ${role};
    grant select, insert, update, delete on all tables in schema ${schema} to ${role};
    grant usage on all sequences in schema ${schema} to ${role};
    revoke insert, update, delete on ${schema}.migrations from ${role};
    revoke all on schema public from public`);
}

async function ensureRole(client: pg.Client, role: string, password: string | undefined): Promise<void> {
  const name = pg.escapeIdentifier(role);
  const known = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  if (known.rowCount === 0) {
    if (password === undefined)
      throw new Error(`The role ${role} is to be made, but no password is given for it.`);
    await client.query(`create role ${name} login nosuperuser nocreatedb nocreaterole`);
  }
  if (password !== undefined) await client.query(`alter role ${name} password ${pg.escapeLiteral(password)}`);
  // Queries name their tables without a schema: each service sees its own and no other.
  await client.query(`alter role ${name} set search_path to ${name}`);
}

async function readMigrations(folders: readonly string[]): Promise<{ name: string; sql: string }[]> {
  const migrations: { name: string; sql: string }[] = [];
  for (const path of folders) {
    const files = (await readdir(path)).filter(file => file.endsWith('.sql')).sort();
    for (const file of files) {
      migrations.push({ name: `${basename(path)}/${file}`, sql: await readFile(`${path}/${file}`, 'utf8') });
    }
  }
  return migrations;
}

/**
 * The migrations of a schema that this code has and the database lacks; empty means up to date. Asked with the
 * service's own role before it serves.
 */
export async function missingMigrations(
  sql: { query<Row>(text: string): Promise<Row[]> },
  schema: string,
): Promise<string[]> {
  const set = migrationSets.find(candidate => candidate.schema === schema);
  if (!set) throw new Error(`no migrations are known for ${schema}`);
  const wanted = await readMigrations(set.folders);
  const applied = await sql.query<{ name: string }>('select name from migrations').catch(error => {
    // No such table: nothing was ever applied. Anything else is a fault of its own.
    if ((error as { code?: string }).code === '42P01') return [];
    throw error;
  });
  const names = new Set(applied.map(row => row.name));
  return wanted.map(migration => migration.name).filter(name => !names.has(name));
}
