/** What a power cut leaves of the images: a disk keeps only what was synced. */
import { createHash, randomBytes } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileImageStore } from './image-store.ts';

type Synced = { content: Buffer } | { entries: Map<string, { inode: number; isFolder: boolean }> };

/**
 * A folder whose syncs are watched. `afterPowerCut` builds what the standard promises of it after a power
 * cut: of a file the content, of a folder the names, as of their own last sync.
 */
async function watchDisk() {
  const root = mkdtempSync(join(tmpdir(), 'hookline-disk-'));
  const handle = await open(root);
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const sync = prototype.sync;
  const synced = new Map<number, Synced>();
  const stopped = Promise.withResolvers<void>();
  let isStopHere: (path: string) => boolean = () => false;
  let whenStopped: () => void = () => {};
  let afterSync: () => void = () => {};

  function note(path: string): void {
    const { ino } = statSync(path);
    if (!statSync(path).isDirectory()) {
      synced.set(ino, { content: readFileSync(path) });
      return;
    }
    const entries = new Map(
      readdirSync(path).map(name => {
        const entry = statSync(join(path, name));
        return [name, { inode: entry.ino, isFolder: entry.isDirectory() }];
      }),
    );
    synced.set(ino, { entries });
  }

  prototype.sync = async function (this: FileHandle) {
    const path = `/proc/self/fd/${this.fd}`;
    if (isStopHere(readlinkSync(path))) {
      isStopHere = () => false;
      whenStopped();
      await stopped.promise;
    }
    note(path);
    await sync.call(this);
    afterSync();
  };
  note(root);

  function rebuild(inode: number, to: string): void {
    mkdirSync(to);
    const folder = synced.get(inode);
    if (folder === undefined || !('entries' in folder)) return;
    for (const [name, entry] of folder.entries) {
      const file = synced.get(entry.inode);
      if (entry.isFolder) rebuild(entry.inode, join(to, name));
      // A name may be durable without its content.
      else writeFileSync(join(to, name), file && 'content' in file ? file.content : '');
    }
  }

  const copies: string[] = [];
  const writers: Promise<void>[] = [];
  return {
    root,
    /**
     * Stops a writer before its first such sync until the end of the test, which is a kill for all others.
     */
    async stop(write: () => Promise<void>, isHere: (path: string) => boolean) {
      isStopHere = isHere;
      const isStopped = new Promise<void>(resolve => {
        whenStopped = resolve;
      });
      writers.push(write());
      await isStopped;
    },
    onSynced(callback: () => void) {
      afterSync = callback;
    },
    afterPowerCut(): string {
      const copy = `${root}-${copies.length}`;
      copies.push(copy);
      rebuild(statSync(root).ino, copy);
      return copy;
    },
    async remove() {
      stopped.resolve();
      await Promise.all(writers);
      prototype.sync = sync;
      for (const path of [root, ...copies]) rmSync(path, { recursive: true, force: true });
    },
  };
}

let disk: Awaited<ReturnType<typeof watchDisk>>;
beforeEach(async () => {
  disk = await watchDisk();
});
afterEach(() => disk.remove());

const bytes = randomBytes(40_000);
const digest = createHash('sha256').update(bytes).digest('hex');

async function leftOf(wanted: string): Promise<'whole' | 'torn' | 'gone'> {
  const image = await createFileImageStore(disk.afterPowerCut()).read(wanted);
  if (image === null) return 'gone';
  return createHash('sha256').update(image).digest('hex') === wanted ? 'whole' : 'torn';
}

describe('an image is whole after a power cut', () => {
  it('once it was stored, in a new data folder too', async () => {
    await createFileImageStore(disk.root).put(digest, bytes);
    expect(await leftOf(digest)).toBe('whole');
  });

  it('or is not there, at every moment of storing it', async () => {
    const left: ReturnType<typeof leftOf>[] = [];
    disk.onSynced(() => left.push(leftOf(digest)));
    await createFileImageStore(disk.root).put(digest, bytes);
    const seen = await Promise.all(left);
    expect(new Set(seen)).toEqual(new Set(['gone', 'whole']));
  });

  it('once it was stored again after a writer that was killed before its last sync', async () => {
    const folder = join(disk.root, 'images', digest.slice(0, 2));
    await disk.stop(
      () => createFileImageStore(disk.root).put(digest, bytes),
      path => path === folder && readdirSync(folder).includes(digest),
    );
    await createFileImageStore(disk.root).put(digest, bytes);
    expect(await leftOf(digest)).toBe('whole');
  });

  it('once it was stored in a folder that another write has created and not synced yet', async () => {
    const other = `${digest.slice(0, 2)}${createHash('sha256').update('other').digest('hex').slice(2)}`;
    const store = createFileImageStore(disk.root);
    await disk.stop(
      () => store.put(other, Buffer.from('other')),
      path => path === join(disk.root, 'images'),
    );
    await store.put(digest, bytes);
    expect(await leftOf(digest)).toBe('whole');
  });
});
