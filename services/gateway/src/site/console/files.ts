/** The built files of the console on disk: what a path serves, with entity tags made from content. */
import { createHash } from 'node:crypto';
import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

export type ConsoleFile = {
  size: number;
  /** Strong, from the content; the compressed form has another one. */
  etag: string;
  contentType: string;
  encoding: 'br' | null;
  /** True if the name contains a digest of the content, so that it never changes. */
  isHashed: boolean;
  open(): ReadStream;
};

export type ConsoleFiles = {
  /** A file below the folder; null if there is none, or for a type that the console does not have. */
  find(name: string, takesBrotli: boolean): Promise<ConsoleFile | null>;
};

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

// No empty, hidden or parent segments.
const nameForm = /^(?!.*\.\.)[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;
// Vite names files so: `assets/index-BX3kq9Zw.js`.
const hashedForm = /^assets\/.+-[\w-]{8}\.\w+$/;

type Known = { size: number; mtimeMs: number; etag: string };

/** @param folder may be missing; it is read again for each request */
export function createConsoleFiles(folder: string): ConsoleFiles {
  // A file that was built again has another time and is hashed again.
  const known = new Map<string, Known>();

  async function find(name: string): Promise<Known | null> {
    const found = await stat(join(folder, name)).catch(() => null);
    if (!found?.isFile()) return null;
    const { size, mtimeMs } = found;
    const before = known.get(name);
    if (before?.size === size && before.mtimeMs === mtimeMs) return before;
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(folder, name)), hash);
    const entry = { size, mtimeMs, etag: `"${hash.digest('base64url').slice(0, 22)}"` };
    known.set(name, entry);
    return entry;
  }

  return {
    async find(name, takesBrotli) {
      const contentType = contentTypes[extname(name)];
      if (contentType === undefined || !nameForm.test(name)) return null;
      const compressed = takesBrotli ? await find(`${name}.br`) : null;
      const entry = compressed ?? (await find(name));
      if (!entry) return null;
      const path = join(folder, compressed ? `${name}.br` : name);
      return {
        size: entry.size,
        etag: entry.etag,
        contentType,
        encoding: compressed ? 'br' : null,
        isHashed: hashedForm.test(name),
        open: () => createReadStream(path),
      };
    },
  };
}
