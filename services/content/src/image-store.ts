/** Slide images as files under the data folder, or on a volume that all replicas share. */
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export type ImageStore = {
  /** Durable when it resolves: a row that names the image is written only afterwards. */
  put(id: string, bytes: Buffer): Promise<void>;
  /** Null when the file is gone. */
  read(id: string): Promise<Buffer | null>;
  /** Null when the file is gone. The caller consumes or destroys the stream. */
  stream(id: string): Promise<NodeJS.ReadableStream | null>;
};

export function createFileImageStore(dataDir: string): ImageStore {
  // The random end of the id spreads the files; ids are ours, checked so that none can leave the folder.
  const pathOf = (id: string): string => {
    if (!/^image_[0-9a-z]{26}$/.test(id)) throw new Error('not an image id');
    return join(dataDir, 'images', id.slice(-2), id);
  };
  return {
    async put(id, bytes) {
      const path = pathOf(id);
      await mkdir(dirname(path), { recursive: true });
      const temporary = `${path}.${randomBytes(4).toString('hex')}`;
      const file = await open(temporary, 'wx', 0o644);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, path);
    },
    async read(id) {
      return await readFile(pathOf(id)).catch(nullWhenGone);
    },
    async stream(id) {
      const file = await open(pathOf(id)).catch(nullWhenGone);
      return file && createReadStream('', { fd: file, autoClose: true });
    },
  };
}

function nullWhenGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
