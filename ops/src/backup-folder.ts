/**
 * The folder that `backup` writes and `restore` reads: a file for each table, a manifest, the slide images.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ConfigurationError } from '@hookline/shared/kernel';
import { z } from 'zod';

const Manifest = z.object({
  format: z.literal(1),
  /** The instant of all tables, by the database's clock. */
  takenAt: z.iso.datetime(),
  postgres: z.string(),
  migrations: z.array(z.object({ schema: z.string(), name: z.string(), digest: z.string() })),
  tables: z.array(
    z.object({
      schema: z.string(),
      table: z.string(),
      columns: z.array(z.string()),
      rows: z.number().int(),
      /** SHA-256 of its file, in hexadecimal digits. */
      sha256: z.string(),
    }),
  ),
  sequences: z.array(z.object({ schema: z.string(), name: z.string(), lastValue: z.string() })),
  snapshotMonths: z.array(z.string()),
  outboxDays: z.array(z.object({ schema: z.string(), day: z.string() })),
  /** Number of slide images in the folder; null when they are in a separate store. */
  images: z.number().int().nullable(),
});
export type Manifest = z.infer<typeof Manifest>;
export type TableFile = Manifest['tables'][number];

export const imagesOf = (folder: string): string => join(folder, 'images');
export const fileOf = (folder: string, { schema, table }: Pick<TableFile, 'schema' | 'table'>): string =>
  join(folder, `${schema}.${table}.copy`);

/**
 * Creates the folder, readable only by its owner: it contains personal data and sealed tokens. @throws
 * ConfigurationError unless it is empty
 */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0)
    throw new ConfigurationError(`${folder} is not empty: name a new folder for the backup.`);
}

/** Written last and atomically: a folder without it is not a backup. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const draft = join(folder, 'manifest.json.draft');
  const file = await open(draft, 'wx', 0o600);
  await file.writeFile(`${JSON.stringify(manifest, null, 1)}\n`);
  await file.sync();
  await file.close();
  await rename(draft, join(folder, 'manifest.json'));
}

/** @throws ConfigurationError when there is none, or its format is unknown */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => {
    throw new ConfigurationError(`${folder} holds no complete backup: manifest.json cannot be read.`);
  });
  try {
    return Manifest.parse(JSON.parse(text));
  } catch {
    throw new ConfigurationError(`${folder}/manifest.json is damaged, or of another version of Hookline.`);
  }
}

/** Writes a stream to a file, durably. @returns its SHA-256 */
export async function writeDigested(path: string, source: NodeJS.ReadableStream): Promise<string> {
  const hash = createHash('sha256');
  const digesting = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(source, digesting, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
  return hash.digest('hex');
}

/** Null when it cannot be read. */
export async function digestOf(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
    return hash.digest('hex');
  } catch {
    return null;
  }
}

/**
 * Checks before anything is written that every file exists and has its digest. @throws ConfigurationError for
 * the first that does not
 */
export async function verifyFiles(folder: string, manifest: Manifest): Promise<void> {
  for (const table of manifest.tables) {
    if ((await digestOf(fileOf(folder, table))) !== table.sha256)
      throw new ConfigurationError(`${fileOf(folder, table)} is missing or damaged: take another backup.`);
  }
  if (manifest.images === null) return;
  const images = await listImages(imagesOf(folder));
  if (images.length < manifest.images)
    throw new ConfigurationError(`${imagesOf(folder)} lacks ${manifest.images - images.length} images.`);
  // The file name of an image is the digest of its bytes.
  for (const name of images) {
    if ((await digestOf(join(imagesOf(folder), name.slice(0, 2), name))) !== name)
      throw new ConfigurationError(`The image ${name} of the backup is damaged: take another backup.`);
  }
}

/** Names of the complete images in a folder; a partial one left by a kill has a longer name. */
export async function listImages(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.map(name => name.slice(name.lastIndexOf('/') + 1)).filter(name => /^[0-9a-f]{64}$/.test(name));
}

/**
 * Copies images. One that is deleted in the meantime is left out: no row needs it. @returns the number copied
 */
export async function copyImages(from: string, to: string): Promise<number> {
  let copied = 0;
  for (const name of await listImages(from)) {
    const place = join(to, name.slice(0, 2));
    await mkdir(place, { recursive: true, mode: 0o700 });
    const source = join(from, name.slice(0, 2), name);
    const draft = join(place, `${name}.copied`);
    try {
      await pipeline(createReadStream(source), createWriteStream(draft, { mode: 0o644, flush: true }));
    } catch (error) {
      await rm(draft, { force: true });
      const { code, path } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' && path === source) continue;
      throw error;
    }
    await rename(draft, join(place, name));
    copied += 1;
  }
  return copied;
}
