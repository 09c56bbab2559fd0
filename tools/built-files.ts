/**
 * Built files that are committed: what they were built from, and whether a build of
 * the sources gives the same.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Every file below a folder, as whole paths, sorted. */
export function filesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort();
}

/** One digest of the names and bytes of these files; names are relative to `dir`. */
export function digestOf(dir: string, files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) {
    hash
      .update(`${relative(dir, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

/** Names of the files that are not the same in both folders, or only in one. */
export function differences(committed: string, rebuilt: string): string[] {
  const [before, after] = [committed, rebuilt].map(
    dir => new Map(filesBelow(dir).map(file => [relative(dir, file), readFileSync(file)])),
  ) as [Map<string, Buffer>, Map<string, Buffer>];
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter(name => !before.get(name)?.equals(after.get(name) ?? Buffer.alloc(0)));
}
