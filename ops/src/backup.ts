import { join, resolve } from 'node:path';
import { openDedicatedConnection } from '@hookline/shared/postgres';
import { to as copyTo } from 'pg-copy-streams';
import {
  copyImages,
  fileOf,
  imagesOf,
  type Manifest,
  makeFolder,
  type TableFile,
  writeDigested,
  writeManifest,
} from './backup-folder.ts';
import { defineCommand, type Env, type Print } from './command.ts';
import {
  copyText,
  listMigrations,
  listOutboxDays,
  listSequences,
  listSnapshotMonths,
  listTables,
  sqlOf,
} from './queries/copied-tables.ts';
import { allSchemas, openTarget } from './target.ts';

export const command = defineCommand({
  does: 'writes all tables at one instant, and the slide images, into a new folder, while the services work',
  words: ['<folder>'],
  run: ({ env, given, print }) => backup(env, resolve(given[0] ?? ''), print),
});

/** @returns true. @throws ConfigurationError when the folder is not empty. */
async function backup(env: Env, folder: string, print: Print): Promise<boolean> {
  const target = await openTarget(env, { schemas: allSchemas });
  try {
    await makeFolder(folder);
    const { left, ...tables } = await copyTables(target.adminUrl, folder);
    for (const name of left) print(`left out: ${name}, a detached month; dump it separately`);
    // After the tables: an image is written before the row that names it, and never changed.
    const images =
      target.dataDir === null ? null : await copyImages(join(target.dataDir, 'images'), imagesOf(folder));
    const manifest: Manifest = { format: 1, ...tables, images };
    await writeManifest(folder, manifest);
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    print(`${rows} rows of ${manifest.tables.length} tables, all at ${manifest.takenAt}, are in ${folder}.`);
    print(
      images === null
        ? 'Slide images are in their own store (S3_* or a volume) and never change there: copy it now.'
        : `${images} slide images are there too.`,
    );
    print(
      'Not in it: the encryption keys. Without them no platform token in it can be opened; keep them apart.',
    );
    return true;
  } finally {
    await target.close();
  }
}

/** Copies in one read-only snapshot, so that every table has the same instant; it blocks nobody. */
async function copyTables(
  adminUrl: string,
  folder: string,
): Promise<Omit<Manifest, 'format' | 'images'> & { left: string[] }> {
  const client = await openDedicatedConnection(adminUrl, 'hookline operator', { queryTimeoutMs: 0 });
  try {
    await client.query('begin isolation level repeatable read read only');
    const sql = sqlOf(client);
    const [instant] = await sql.query<{ at: Date; version: string }>(
      `select clock_timestamp() as at, current_setting('server_version') as version`,
    );
    const { tables, left } = await listTables(sql, allSchemas);
    const files: TableFile[] = [];
    for (const table of tables) {
      const stream = client.query(copyTo(copyText(table, 'out')));
      const sha256 = await writeDigested(fileOf(folder, table), stream);
      files.push({ ...table, rows: stream.rowCount, sha256 });
    }
    return {
      takenAt: (instant?.at ?? new Date()).toISOString(),
      postgres: instant?.version ?? '',
      migrations: await listMigrations(sql, allSchemas),
      tables: files,
      sequences: await listSequences(sql, allSchemas),
      snapshotMonths: await listSnapshotMonths(sql),
      outboxDays: await listOutboxDays(sql, allSchemas),
      left,
    };
  } finally {
    await client.end();
  }
}
