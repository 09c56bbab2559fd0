/**
 * A service with a defect planted into a copy of its sources, to show that a proof run can fail. The product has no
 * switch for it: the copy lies under `.cache`, where the workspace's packages are still found.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { repositoryRoot } from '../../e2e/support/processes.ts';

export type Planting = {
  /** Relative to the service's folder. */
  file: string;
  /** Must stand there exactly once: a planting that no longer fits fails loudly. */
  find: string;
  replace: string;
};

export type PlantedService = {
  /** Entry file, relative to the repository's root. */
  entry: string;
  remove(): void;
};

/** @throws Error when a text to be replaced is not there exactly once. */
export function plant(service: string, plantings: readonly Planting[]): PlantedService {
  const cache = join(repositoryRoot, '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'planted-'));
  const copy = join(folder, service);
  const from = join(repositoryRoot, 'services', service);
  for (const part of ['src', 'package.json', 'migrations'])
    cpSync(join(from, part), join(copy, part), { recursive: true });
  for (const { file, find, replace } of plantings) {
    const path = join(copy, file);
    const parts = readFileSync(path, 'utf8').split(find);
    if (parts.length !== 2) {
      rmSync(folder, { recursive: true, force: true });
      throw new Error(`the text to replace stands ${parts.length - 1} times in ${file}: ${find}`);
    }
    writeFileSync(path, parts.join(replace));
  }
  return {
    entry: relative(repositoryRoot, join(copy, 'src/main.ts')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
