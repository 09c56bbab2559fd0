import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { serviceNames } from '../contracts/scopes.ts';
import { sha256 } from '../kernel/index.ts';
import { awaitServer } from './await-server.ts';
import { tryLock } from './dedicated-connection.ts';
import { requireSessions } from './session-probe.ts';

/** One schema and the folders whose `.sql` files make it, in the order of folders, then of file names. */
export type MigrationSet = { schema: string; folders: readonly string[] };

export type MigrateOptions = {
  /** Connection of a role that may create roles and schemas. */
  adminUrl: string;
  /** Password of each schema's role, and of `readerRole` where it is wanted. */
  passwords: Readonly<Record<string, string>>;
  sets?: readonly MigrationSet[];
  /** How long a refused connection, or a server that starts, is tried again; 30 s by default. */
  waitMs?: number;
  /** Called when that begins, and when the wait for another process does. */
  onWait?: (reason: string) => void;
};

/** The migrations that ran in a schema, in order; empty when it was up to date. */
export type MigratedSchema = { schema: string; applied: string[] };

/** May read every schema and change nothing: for `check-invariants`, which runs unattended. */
export const readerRole = 'reader';

const repositoryRoot = fileURLToPath(new URL('../../../../', import.meta.url));
const folder = (path: string): string => `${repositoryRoot}${path}`;

/** Every schema of the product (D-72): the log of the Postgres bus, and one for each service. */
export const migrationSets: readonly MigrationSet[] = [
  { schema: 'bus', folders: [folder('packages/shared/migrations/bus')] },
  ...serviceNames.map(schema => ({
    schema,
    folders: [
      // The gateway publishes nothing: its own migrations make its inbox.
      ...(schema === 'gateway' ? [] : [folder('packages/shared/migrations/messaging')]),
      folder(`services/${schema}/migrations`),
    ],
  })),
];

// Any constant, as long as every process that migrates uses the same one.
const migrationLock = 7_215_001;

// A statement that waits for a lock blocks every later one on the table. So a migration waits 100 ms at most,
// then tries again, for about a minute in all.
const lockTimeoutMs = 100;
const lockPauseMs = 400;
const lockTurnsMax = 120;

// A build without a transaction blocks nobody while it waits for others to end, so it may wait longer.
const waitAloneMs = 300_000;
// How often a process checks whether the lock is free. It must not wait inside a statement: an index that is
// built concurrently waits for all statements of others, which would be a deadlock.
const turnPauseMs = 100;
const roleTurnsMax = 20;
// How soon the server notices that a process is dead, and cancels its build.
const connectionCheckMs = 2_000;
// A database and its migrations are often started at once, and again together after a crash.
const defaultWaitMs = 30_000;

/**
 * Brings every schema up to date. Forward only; each file runs once and is recorded with its digest. Safe to
 * run from several processes at once, and again after one was killed. A file that was changed after it ran is
 * an error.
 *
 * The first line of a file says `-- additive` (code of this version needs it) or `-- contract` (it removes
 * what the previous version no longer uses; no process waits for it). A file runs in a transaction of its
 * own. One whose first line also says `no transaction` is a single statement outside of any, that can be run
 * again after it was killed: `create [unique] index concurrently if not exists`,
 * `drop index concurrently if exists`, or a `do` block that commits in batches.
 * @returns what was done, schema by schema.
 */
export async function migrateAll({
  adminUrl,
  passwords,
  sets = migrationSets,
  waitMs = defaultWaitMs,
  onWait,
}: MigrateOptions): Promise<MigratedSchema[]> {
  await awaitServer(() => requireSessions(adminUrl, 'the migrations'), { waitMs, onWait });
  const client = new pg.Client({
    connectionString: adminUrl,
    application_name: 'hookline migrate',
    connectionTimeoutMillis: 10_000,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    // Not supported on every operating system; there the build of a dead process runs to its end.
    await client.query(`set client_connection_check_interval = ${connectionCheckMs}`).catch(() => {});
    await takeTurn(client, onWait);
    const migrated: MigratedSchema[] = [];
    for (const set of sets) {
      migrated.push({ schema: set.schema, applied: await migrateSchema(client, set, passwords[set.schema]) });
    }
    const readersPassword = passwords[readerRole];
    if (readersPassword !== undefined) await grantReading(client, sets, readersPassword);
    return migrated;
  } finally {
    await client.end();
  }
}

/**
 * Takes the lock. It belongs to the connection, and is free again when its holder's last statement has ended.
 */
async function takeTurn(client: pg.Client, onWait: MigrateOptions['onWait']): Promise<void> {
  if (await tryLock(client, migrationLock)) return;
  onWait?.('another process migrates it');
  while (!(await tryLock(client, migrationLock))) await delay(turnPauseMs);
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
  for (const migration of await readMigrations(set.folders)) {
    const { name, sql } = migration;
    const digest = sha256(sql).toString('hex');
    const known = digests.get(name);
    if (known === digest) continue;
    if (known)
      throw new Error(`The migration ${set.schema}/${name} was changed after it ran; add a new one.`);
    const run = migration.isAlone ? runAlone : runInTransaction;
    await run(client, { path: `${set.schema}/${name}`, name, schema, digest, sql });
    names.push(name);
  }
  await grantDataRights(client, schema, pg.escapeIdentifier(set.schema));
  return names;
}

/** @property schema escaped */
type MigrationRun = { path: string; name: string; schema: string; digest: string; sql: string };

async function record(client: pg.Client, { schema, name, digest }: MigrationRun): Promise<void> {
  await client.query(`insert into ${schema}.migrations (name, digest) values ($1, $2)`, [name, digest]);
}

/** Runs a file in a transaction, and starts again while another transaction holds a lock that it needs. */
async function runInTransaction(client: pg.Client, file: MigrationRun): Promise<void> {
  for (let turn = 1; ; turn += 1) {
    await client.query('begin');
    try {
      await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
      await client.query(`set local search_path to ${file.schema}`);
      await record(client, file);
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
      throw failed(file, error);
    }
  }
}

/**
 * Runs one statement outside of a transaction and records it afterwards: killed in between, it is run again.
 * The invalid index of a build that was killed or failed is dropped first, or `if not exists` would mistake
 * it for the index.
 */
async function runAlone(client: pg.Client, file: MigrationRun): Promise<void> {
  const index = indexOf(file);
  // However long an index takes to build, a limit of the role or the server must not end it.
  await client.query(
    `set search_path to ${file.schema}; set lock_timeout = ${waitAloneMs}; set statement_timeout = 0`,
  );
  try {
    if (index !== null) await dropUnfinished(client, file.schema, index);
    // The extended protocol takes one statement only.
    const statement: pg.QueryConfig & { queryMode: 'extended' } = { text: file.sql, queryMode: 'extended' };
    await client.query(statement);
    await record(client, file);
  } catch (error) {
    // An invalid unique index still refuses rows.
    if (index !== null) await dropUnfinished(client, file.schema, index).catch(() => {});
    throw failed(file, error);
  } finally {
    await client.query('reset search_path; reset lock_timeout; reset statement_timeout').catch(() => {});
  }
}

/**
 * The index that a file builds or drops; null for a block.
 * @throws for a statement that cannot be repeated after a kill.
 */
function indexOf({ path, sql }: MigrationRun): string | null {
  const statement = sql.replace(/^\s*--.*$/gm, '').trim();
  const [, index] =
    /^(?:create (?:unique )?index concurrently if not|drop index concurrently if) exists (\w+)/i.exec(
      statement,
    ) ?? [];
  if (index !== undefined) return index;
  if (/^do\s/i.test(statement)) return null;
  throw new Error(
    `The migration ${path} runs without a transaction, so it must be one "create index concurrently if not exists", "drop index concurrently if exists" or "do".`,
  );
}

async function dropUnfinished(client: pg.Client, schema: string, index: string): Promise<void> {
  const name = `${schema}.${pg.escapeIdentifier(index)}`;
  const { rowCount } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [name],
  );
  if (rowCount) await client.query(`drop index concurrently if exists ${name}`);
}

function failed({ path }: MigrationRun, error: unknown): Error {
  return new Error(`The migration ${path} failed: ${(error as Error).message}`, { cause: error });
}

/** Lets the role read and change the rows of its schema, and nothing else. */
async function grantDataRights(client: pg.Client, schema: string, role: string): Promise<void> {
  await client.query(`
    grant usage on schema ${schema} to ${role};
    grant select, insert, update, delete on all tables in schema ${schema} to ${role};
    grant usage on all sequences in schema ${schema} to ${role};
    revoke insert, update, delete on ${schema}.migrations from ${role};
    revoke all on schema public from public`);
}

async function grantReading(
  client: pg.Client,
  sets: readonly MigrationSet[],
  password: string,
): Promise<void> {
  await ensureRole(client, readerRole, password);
  for (const { schema } of sets) {
    await client.query(`
      grant usage on schema ${schema} to ${readerRole};
      grant select on all tables in schema ${schema} to ${readerRole}`);
  }
}

/**
 * Roles belong to the server: a migration of another database, which has another lock, may be making the same
 * one.
 */
async function ensureRole(client: pg.Client, role: string, password: string | undefined): Promise<void> {
  for (let turn = 1; ; turn += 1) {
    try {
      return await makeRole(client, role, password);
    } catch (error) {
      if (turn === roleTurnsMax || !isOutpaced(error)) throw error;
      await delay(turnPauseMs);
    }
  }
}

/** 42710, 23505: another session created it first. XX000 with this text: another session changed its row. */
function isOutpaced(error: unknown): boolean {
  const { code, message } = error as { code?: string; message: string };
  return code === '42710' || code === '23505' || message === 'tuple concurrently updated';
}

async function makeRole(client: pg.Client, role: string, password: string | undefined): Promise<void> {
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

/**
 * @property isAlone runs outside of a transaction
 * @property isContract code works before it as well as after it
 */
type Migration = { name: string; sql: string; isAlone: boolean; isContract: boolean };

async function readMigrations(folders: readonly string[]): Promise<Migration[]> {
  const migrations: Migration[] = [];
  for (const path of folders) {
    const files = (await readdir(path)).filter(file => file.endsWith('.sql')).sort();
    for (const file of files) {
      const name = `${basename(path)}/${file}`;
      const sql = await readFile(`${path}/${file}`, 'utf8');
      const [, kind, alone] = /^-- (additive|contract)(, no transaction)?\b/.exec(sql) ?? [];
      if (!kind) throw new Error(`The migration ${name} must begin with "-- additive" or "-- contract".`);
      migrations.push({ name, sql, isAlone: alone !== undefined, isContract: kind === 'contract' });
    }
  }
  return migrations;
}

/**
 * The migrations of a schema that this code needs and the database lacks. A service checks them at its start,
 * with its own role, and does not serve unless the list is empty.
 */
export async function missingMigrations(
  sql: { query<Row>(text: string): Promise<Row[]> },
  schema: string,
): Promise<string[]> {
  const set = migrationSets.find(candidate => candidate.schema === schema);
  if (!set) throw new Error(`no migrations are known for ${schema}`);
  const wanted = await readMigrations(set.folders);
  const applied = await sql.query<{ name: string }>('select name from migrations').catch(error => {
    // No such table: no migration was ever applied. Other errors are real faults.
    if ((error as { code?: string }).code === '42P01') return [];
    throw error;
  });
  const names = new Set(applied.map(row => row.name));
  return wanted.filter(({ name, isContract }) => !isContract && !names.has(name)).map(({ name }) => name);
}
