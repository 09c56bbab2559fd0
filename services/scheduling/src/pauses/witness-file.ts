/** A worker keeps the memory of its last calls in a file outside the database. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import type { Logger } from '@hookline/shared/kernel';
import { z } from 'zod';
import type { Memory } from './went-back.rules.ts';

export type WitnessFile = {
  /** @returns null if the file does not exist or cannot be read. */
  read(): Promise<Memory | null>;
  /** Joins the writes of a burst: resolves when this or a later state is in the file. Never throws. */
  write(memory: Memory): Promise<void>;
};

const Stored = z.object({
  systemId: z.string().nullable(),
  timeline: z.int().nullable(),
  lsn: z.string().regex(/^\d+$/).nullable(),
  settledAtMs: z.number(),
  attempts: z.array(z.object({ id: z.string(), atMs: z.number() })).max(100),
});

/**
 * The disk is not synced: a file that is behind after a power cut raises no alarm, and a restored database
 * does not cut the power.
 */
export function openWitnessFile(path: string, log: Logger): WitnessFile {
  let waiting: Memory | null = null;
  let writing: Promise<void> = Promise.resolve();

  async function writeNext(): Promise<void> {
    const memory = waiting;
    waiting = null;
    if (memory === null) return;
    try {
      await writeFile(`${path}.new`, JSON.stringify(memory), { mode: 0o600 });
      await rename(`${path}.new`, path);
    } catch (error) {
      log.error({ err: error, path }, 'the witness file could not be written');
    }
  }

  return {
    async read() {
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') log.error({ err: error, path }, 'the witness file could not be read');
        return null;
      });
      if (text === null) return null;
      try {
        return Stored.parse(JSON.parse(text));
      } catch (error) {
        log.error({ err: error, path }, 'the witness file is damaged and is rewritten');
        return null;
      }
    },
    write(memory) {
      waiting = memory;
      writing = writing.then(writeNext);
      return writing;
    },
  };
}
