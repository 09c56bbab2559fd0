/**
 * The target of an operator command: the distributed product by its addresses, or the data folder of `npm
 * start`.
 */
import { readFileSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startEmbeddedPostgres } from '@hookline/embedded';
import { isStillRunning, readRunFile } from '@hookline/embedded/run-file';
import { hasOwnDatabase, loadSecrets } from '@hookline/embedded/secrets';
import type { Bus } from '@hookline/shared/bus';
import { deleteCursors } from '@hookline/shared/bus';
import { createPostgresLogBus } from '@hookline/shared/bus/postgres-log';
import { ConfigurationError, createLogger, type Logger, loadSettings } from '@hookline/shared/kernel';
import {
  type Database,
  migrationSets,
  openDatabase,
  openDedicatedConnection,
  type Sql,
} from '@hookline/shared/postgres';
import type { Env } from './command.ts';
import { hasBusMessages, listSchemas, sqlOf } from './queries/sql.ts';

export type OperatorTarget = {
  /** The data folder of `npm start`; null in distributed mode. */
  dataDir: string | null;
  /** False only for a data folder on which no product is running. */
  isUp: boolean;
  /** An administrator's connection. Contains the password: do not log. */
  adminUrl: string;
  /** A small pool that sees one schema. Closed with the target. */
  openSchema(schema: string): Database;
  /** Kafka, or the Postgres log. Closed with the target. */
  openBus(): Promise<OpenBus>;
  close(): Promise<void>;
};

export type OpenBus = {
  bus: Bus;
  /** The log in Postgres, which goes back with its database. */
  isInDatabase: boolean;
  /** Removes the traces of a read-only consumer group. On Kafka its offsets expire automatically. */
  forget(group: string): Promise<void>;
};

export type TargetOptions = {
  /** Refuses a data folder on which a product is running. */
  mustBeStopped?: boolean;
  /** Refuses a database without one of these schemas: what each server of several has is not the product. */
  schemas?: readonly string[];
};

export const withoutBus = {
  type: 'boolean',
  says: 'the bus was lost or restored as well: what may have been moved and posted is kept back for a person',
} as const;

/**
 * The bus as a witness of what a database has lost; null if it was lost as well, as a log in the database is.
 * @throws ConfigurationError if it cannot be read
 */
export async function openWitness(target: OperatorTarget, isLost: boolean | undefined): Promise<Bus | null> {
  if (isLost) return null;
  try {
    const { bus, isInDatabase } = await target.openBus();
    if (isInDatabase) return null;
    await bus.readBack('scheduling.schedules', async () => false);
    return bus;
  } catch (error) {
    throw new ConfigurationError(
      `The bus, which knows what was posted since, cannot be read: ${(error as Error).message} Name it with KAFKA_BROKERS, or say --without-bus if it was lost or restored as well.`,
      { cause: error },
    );
  }
}

/** Every schema of the product. */
export const allSchemas: readonly string[] = migrationSets.map(set => set.schema);

type OpenPool = (schema: string, connectionsMax: number) => Database;

type Target = Pick<OperatorTarget, 'dataDir' | 'isUp' | 'adminUrl'> & {
  urlOf(schema: string): string;
  openBus(openPool: OpenPool): Promise<OpenBus>;
};

const settingNames = ['DATABASE_URL', 'DATA_DIR', 'LOG_LEVEL'] as const;

/**
 * With `DATABASE_URL` (an administrator's, as for `npm run migrate`): the distributed product. Otherwise the
 * data folder: uses the Postgres of a running `npm start`, or starts one for the duration of the command.
 * @throws ConfigurationError with one sentence
 */
export async function openTarget(env: Env, options: TargetOptions = {}): Promise<OperatorTarget> {
  const settings = loadSettings(settingNames, env);
  const log = createLogger({ service: 'operator', level: 'silent' });
  const opened = new AsyncDisposableStack();
  const target =
    settings.DATABASE_URL === undefined
      ? await findEmbedded(settings.DATA_DIR, options, log, opened)
      : distributed(settings.DATABASE_URL, env, log);
  const openPool: OpenPool = (schema, connectionsMax) => {
    const db = openDatabase({ url: target.urlOf(schema), connectionsMax, name: 'hookline operator', log });
    opened.defer(() => db.close());
    return db;
  };
  const close = () => opened.disposeAsync();
  try {
    if (options.schemas) await requireSchemas(target.adminUrl, options.schemas);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    ...target,
    close,
    openSchema: schema => openPool(schema, 2),
    async openBus() {
      const { bus, ...rest } = await target.openBus(openPool);
      opened.defer(() => bus.close());
      return { bus, ...rest };
    },
  };
}

/** Does the work of a command on its target, which is closed then. @throws ConfigurationError with one sentence */
export async function withTarget<T>(
  env: Env,
  options: TargetOptions,
  work: (target: OperatorTarget) => Promise<T>,
): Promise<T> {
  const target = await openTarget(env, options);
  try {
    return await work(target);
  } finally {
    await target.close();
  }
}

/** @throws ConfigurationError unless the database has all of them */
async function requireSchemas(adminUrl: string, schemas: readonly string[]): Promise<void> {
  const here = await ask(adminUrl, sql => listSchemas(sql, schemas));
  const missing = schemas.filter(schema => !here.includes(schema));
  if (missing.length === 0) return;
  throw new ConfigurationError(
    here.length === 0
      ? 'The database is not migrated: run "npm run migrate" on it first.'
      : `The database has no schema ${missing.join(', ')}: this command needs ${schemas.join(', ')} in one database.`,
  );
}

async function ask<T>(adminUrl: string, question: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await openDedicatedConnection(adminUrl, 'hookline operator');
  try {
    return await question(sqlOf(client));
  } finally {
    await client.end();
  }
}

function distributed(adminUrl: string, env: Env, log: Logger): Target {
  const urlOf = (schema: string): string => {
    const url = new URL(adminUrl);
    url.searchParams.set('options', `-c search_path=${schema}`);
    return url.href;
  };
  return {
    dataDir: null,
    isUp: true,
    adminUrl,
    urlOf,
    async openBus(openPool) {
      // The log is that of "npm start" with DATABASE_URL: services of their own leave it empty.
      if (!env.KAFKA_BROKERS && (await ask(adminUrl, hasBusMessages))) return openLog(openPool, log);
      const { loadKafkaConnection } = await import('@hookline/shared/bus/kafka-settings');
      const connection = loadKafkaConnection(
        env,
        'DATABASE_URL names a distributed product, whose dead letters are on Kafka',
      );
      const { createKafkaBus } = await import('@hookline/shared/bus/kafka');
      const bus = createKafkaBus({ ...connection, clientId: 'hookline-operator', log });
      return { bus, isInDatabase: false, forget: async () => {} };
    },
  };
}

/** @returns its path. @throws ConfigurationError unless it is the folder of an `npm start` that is stopped */
export async function findDataFolder(env: Env): Promise<string> {
  const settings = loadSettings(settingNames, env);
  if (settings.DATABASE_URL !== undefined)
    throw new ConfigurationError('DATABASE_URL names a distributed product: dump it with pg_dump.');
  return (await findRun(settings.DATA_DIR, true)).dataDir;
}

async function findRun(givenDir: string, mustBeStopped: boolean | undefined) {
  const dataDir = resolve(givenDir);
  const reason = await access(join(dataDir, 'secrets.json'), constants.R_OK).catch(({ code }) => code);
  if (reason !== undefined) {
    throw new ConfigurationError(
      reason === 'ENOENT'
        ? `${dataDir} holds no product: name its folder with DATA_DIR, or a distributed product with DATABASE_URL.`
        : `${dataDir} cannot be read (${reason}): run this as the user of npm start.`,
    );
  }
  const run = await readRunFile(dataDir);
  const isUp = run !== null && isStillRunning(dataDir, run);
  if (isUp ? run.postgres === null : !hasOwnDatabase(dataDir))
    throw new ConfigurationError(`${dataDir} has no database of its own: name it with DATABASE_URL.`);
  if (isUp && mustBeStopped) {
    throw new ConfigurationError(`The product on ${dataDir} runs (process ${run.pid}): stop it first.`);
  }
  return { dataDir, isUp, port: run?.postgres?.port };
}

async function findEmbedded(
  givenDir: string,
  { mustBeStopped }: TargetOptions,
  log: Logger,
  opened: AsyncDisposableStack,
): Promise<Target> {
  const found = await findRun(givenDir, mustBeStopped);
  const { dataDir, isUp } = found;
  let { port } = found;
  const { databasePasswords } = await loadSecrets(dataDir);
  if (!isUp) {
    const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres') });
    opened.defer(() => postgres.stop());
    port = postgres.port;
  }
  const urlOf = (role: string): string =>
    `postgres://${role}:${encodeURIComponent(databasePasswords[role] ?? '')}@127.0.0.1:${port}/postgres`;
  const password = readFileSync(join(dataDir, 'postgres', 'password'), 'utf8').trim();
  return {
    dataDir,
    isUp,
    adminUrl: `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`,
    urlOf,
    openBus: async openPool => openLog(openPool, log),
  };
}

function openLog(openPool: OpenPool, log: Logger): OpenBus {
  const database = openPool('bus', 4);
  const bus = createPostgresLogBus({ database, log });
  return { bus, isInDatabase: true, forget: group => deleteCursors(database, group) };
}
