import { createReadStream } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { endAfterRestore } from '@hookline/automation/ops';
import { closeAfterRestore, readEvidence } from '@hookline/scheduling/ops';
import type { Bus } from '@hookline/shared/bus';
import { ConfigurationError } from '@hookline/shared/kernel';
import type { Sql, Transaction } from '@hookline/shared/postgres';
import { openDedicatedConnection } from '@hookline/shared/postgres';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { copyImages, fileOf, imagesOf, type Manifest, readManifest, verifyFiles } from './backup-folder.ts';
import { defineCommand, type Env, type Print } from './command.ts';
import {
  type CopiedTable,
  copyText,
  ensureOutboxDay,
  ensureSnapshotMonth,
  hasRows,
  leapSequences,
  listMigrations,
  listProcesses,
  listTables,
  lockTables,
  setSequence,
  setTriggers,
  sqlOf,
} from './queries/copied-tables.ts';
import { outboxSchemas } from './queries/outbox-schemas.ts';
import { allSchemas, openTarget, openWitness, withoutBus } from './target.ts';

export const command = defineCommand({
  does: 'fills an empty, migrated database from a backup; what may have been posted since is never sent again',
  words: ['<folder>'],
  options: { 'without-bus': withoutBus },
  run: ({ env, given, values, print }) => restore(env, resolve(given[0] ?? ''), values['without-bus'], print),
});

// More events than any one resource has, and small enough for a number in JSON.
const leap = 1_000_000;

/** @returns true. @throws ConfigurationError with one sentence, in which case the database was not changed */
async function restore(
  env: Env,
  folder: string,
  isBusLost: boolean | undefined,
  print: Print,
): Promise<boolean> {
  const manifest = await readManifest(folder);
  await verifyFiles(folder, manifest);
  const target = await openTarget(env, { mustBeStopped: true, makesFolder: true, schemas: allSchemas });
  let images: number | null = null;
  try {
    const bus = await openWitness(target, isBusLost);
    const client = await openDedicatedConnection(target.adminUrl, 'hookline operator', { queryTimeoutMs: 0 });
    try {
      await client.query('begin');
      await fillTables(client, folder, manifest);
      await settle(client, manifest, bus, print);
      await client.query('analyze');
      // The commit comes last: whatever fails before it leaves empty tables, and the restore can be repeated.
      if (target.dataDir !== null) images = await fillDataFolder(target.dataDir, folder, manifest);
      await client.query('commit');
    } finally {
      await client.end();
    }
    if (images !== null) print(`${images} slide images are back.`);
    print(`Everything is as it was at ${manifest.takenAt}; what came later is gone.`);
    print('API keys that were revoked since are valid again: revoke them again before the services start.');
    print('Sending is paused. Look at what waits, then: npm run ops -- resume-sending.');
    return true;
  } finally {
    await target.close();
  }
}

/**
 * A repeat overwrites everything here: an image's name is the digest of its bytes. `restored.json` prevents a
 * first journey on restored data, so it is complete before the commit. It stays when the commit fails: one
 * whose answer was lost may have been carried out, and on empty tables it costs only the first journey.
 * @returns the number of images
 */
async function fillDataFolder(dataDir: string, folder: string, { takenAt }: Manifest): Promise<number> {
  const images = await copyImages(imagesOf(folder), join(dataDir, 'images'));
  const path = join(dataDir, 'restored.json');
  await writeFile(`${path}.draft`, JSON.stringify({ takenAt }), { flush: true });
  await rename(`${path}.draft`, path);
  return images;
}

/** Tables in the order of their foreign keys, which are checked row by row like all constraints. */
async function fillTables(client: pg.Client, folder: string, manifest: Manifest): Promise<void> {
  const sql = sqlOf(client);
  const tables = await requireEmpty(sql, manifest);
  for (const month of manifest.snapshotMonths) await ensureSnapshotMonth(sql, month);
  for (const { schema, day } of manifest.outboxDays) await ensureOutboxDay(sql, schema, day);
  await setTriggers(sql, tables, 'disable');
  for (const { schema, table } of tables) {
    const file = manifest.tables.find(one => one.schema === schema && one.table === table);
    // A schema that the backed-up database did not have.
    if (!file) continue;
    const stream = client.query(copyFrom(copyText(file, 'in')));
    await pipeline(createReadStream(fileOf(folder, file)), stream).catch((error: Error) => {
      throw new ConfigurationError(`${schema}.${table} cannot be filled: ${error.message}.`, {
        cause: error,
      });
    });
    if (stream.rowCount !== file.rows)
      throw new ConfigurationError(`${schema}.${table} took ${stream.rowCount} of ${file.rows} rows.`);
  }
  await setTriggers(sql, tables, 'enable');
  for (const sequence of manifest.sequences) await setSequence(sql, sequence);
}

/** @throws ConfigurationError unless the database is migrated to the backup's version, empty and unused */
async function requireEmpty(sql: Sql, manifest: Manifest): Promise<CopiedTable[]> {
  const nameOf = (one: Manifest['migrations'][number]): string => `${one.schema} ${one.name} ${one.digest}`;
  const here = (await listMigrations(sql, allSchemas)).map(nameOf);
  const there = manifest.migrations.map(nameOf);
  const other = here.find(name => !there.includes(name)) ?? there.find(name => !here.includes(name));
  if (other !== undefined)
    throw new ConfigurationError(
      `The database and the backup differ in the migration ${other.split(' ').slice(0, 2).join('/')}: restore with the version of Hookline that made the backup, then migrate.`,
    );
  const [process] = await listProcesses(sql);
  if (process !== undefined)
    throw new ConfigurationError(`"${process}" is connected to the database: stop the services first.`);
  const { tables } = await listTables(sql, allSchemas);
  await lockTables(sql, tables);
  for (const table of tables) {
    if (await hasRows(sql, table))
      throw new ConfigurationError(
        `${table.schema}.${table.table} is not empty: restore into a new database, migrated and never used.`,
      );
  }
  return tables;
}

/**
 * Ends what may have continued after the instant of the data, in the transaction that is open on the client.
 * @param takenAt the instant, ISO 8601
 * @param bus null: it was lost as well
 */
export async function settle(
  client: pg.Client,
  { takenAt }: { takenAt: string },
  bus: Bus | null,
  print: Print,
): Promise<void> {
  const tx: Transaction = {
    ...sqlOf(client),
    inTransaction: true,
    // No service is running that could be notified.
    notifyAfterCommit() {},
  };
  const [clock] = await tx.query<{ now: Date }>('select clock_timestamp() as now');
  const at = { backupAt: new Date(takenAt), now: clock?.now ?? new Date() };
  await tx.query('set local search_path to scheduling');
  const evidence = bus && (await readEvidence(tx, bus, at.backupAt));
  await leapSequences(tx, outboxSchemas, leap);
  const { sending, overdue, onBus, keptBack } = await closeAfterRestore(tx, { ...at, evidence });
  print(`${sending} schedules were being sent and ${overdue} became due since: closed as outcome_unknown.`);
  if (evidence) print(`${onBus} schedules have later events on the bus: closed as outcome_unknown.`);
  if (evidence && !evidence.isWhole) print(`The bus does not reach back to ${takenAt}.`);
  if (keptBack > 0) {
    print(`${keptBack} schedules wait and are kept back, because they may have been moved and posted since.`);
    print('Look at TikTok; then move or delete each, or let all go out: npm run ops -- release-kept-back.');
  }
  await tx.query('set local search_path to automation');
  const { firings, slots } = await endAfterRestore(tx, at);
  print(
    `${firings} open firings of automations are ended, ${slots} slots since then are recorded as skipped.`,
  );
}
