import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { ByteRange } from './byte-range.rules.ts';

/**
 * `digest` is the SHA-256 of the bytes in hexadecimal, so that the same slide is stored once. Every method
 * throws `ImageStoreError`.
 */
export type ImageStore = {
  /** `put` is durable once it resolves; rows that name the image are written afterwards. Idempotent. */
  put(digest: string, bytes: Buffer, signal?: AbortSignal): Promise<void>;
  /** @returns null if the image is gone */
  read(digest: string, signal?: AbortSignal): Promise<Buffer | null>;
  /** @returns null if the image is gone; the caller consumes or destroys the stream */
  stream(digest: string, range?: ByteRange): Promise<Readable | null>;
  /**
   * Must not run concurrently with a `put` of the same digest.
   * @throws ImageStoreError even if it is deleted, where an earlier try had no answer
   */
  delete(digest: string, signal?: AbortSignal): Promise<void>;
  close(): void;
};

/** The store is full, unreachable, too slow or refuses us. The message contains no secret. */
export class ImageStoreError extends Error {
  override name = 'ImageStoreError';
  /** A store that did not answer each try may still carry the request out. */
  readonly mayStillHappen: boolean;
  constructor(message: string, { mayStillHappen = false } = {}) {
    super(message);
    this.mayStillHappen = mayStillHappen;
  }
}

/** Only a digest is a key, so that no key leaves its folder or prefix. */
export function requireDigest(digest: string): string {
  if (!/^[0-9a-f]{64}$/.test(digest)) throw new Error('not a digest');
  return digest;
}

/** Files are under the data folder, or on a volume that all replicas share. */
export function createFileImageStore(dataDir: string): ImageStore {
  const images = join(dataDir, 'images');
  const pathOf = (digest: string): string => join(images, requireDigest(digest).slice(0, 2), digest);
  const durable = new Set<string>();

  /**
   * Another process may have created a folder without syncing its parents, so each process does that once.
   */
  async function makeFolder(folder: string): Promise<void> {
    const topCreated = await mkdir(folder, { recursive: true });
    if (topCreated === undefined && durable.has(folder)) return;
    const topmost = Math.min(images.length, topCreated?.length ?? images.length);
    for (let path = folder; path.length >= topmost; path = dirname(path)) await syncFolder(dirname(path));
    durable.add(folder);
  }

  return {
    async put(digest, bytes, signal) {
      const path = pathOf(digest);
      const stored = await stat(path).catch(nullWhenGone);
      try {
        await makeFolder(dirname(path));
        if (stored?.size !== bytes.length) await writeWhole(path, bytes, signal);
        // A known image is synced too: the process that wrote it may have been killed before its own sync.
        await syncFolder(dirname(path));
      } catch (error) {
        asStoreError(error as NodeJS.ErrnoException);
      }
    },
    async read(digest, signal) {
      return await readFile(pathOf(digest), { signal }).catch(nullWhenGone);
    },
    async stream(digest, range) {
      const file = await open(pathOf(digest)).catch(nullWhenGone);
      return file?.createReadStream(range && { start: range.first, end: range.last }) ?? null;
    },
    async delete(digest) {
      await rm(pathOf(digest), { force: true }).catch(asStoreError);
    },
    close() {},
  };
}

/** A file is synced before it gets its name, so that no partial one is ever read, even after a power cut. */
async function writeWhole(path: string, bytes: Buffer, signal: AbortSignal | undefined): Promise<void> {
  const temporary = `${path}.${randomBytes(4).toString('hex')}`;
  try {
    const file = await open(temporary, 'wx', 0o644);
    try {
      await file.writeFile(bytes, { signal });
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** A file's name is durable once its folder is synced. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function nullWhenGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  return asStoreError(error);
}

function asStoreError(error: NodeJS.ErrnoException): never {
  throw new ImageStoreError(`the image folder: ${error.code ?? error.name}`);
}
