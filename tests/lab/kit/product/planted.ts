/**
 * A service with a defect planted into a copy of its sources, to show that a proof run can fail. The product
 * has no switch for it: the copy is under `.cache`, where the workspace's packages still resolve.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { repositoryRoot } from './processes.ts';

export type Planting = {
  /** Relative to the folder of the service or package. */
  file: string;
  /** Must occur exactly once, so that an outdated plant fails loudly. */
  find: string;
  replace: string;
};

export type PlantedService = {
  /** Entry file, relative to the repository's root. */
  entry: string;
  remove(): void;
};

/** @throws Error when a text to replace does not occur exactly once */
export function plant(service: string, plantings: readonly Planting[]): PlantedService {
  const { folder, remove } = plantFolder(join('services', service), plantings);
  return { entry: relative(repositoryRoot, join(folder, 'src/main.ts')), remove };
}

/**
 * The same for any folder with a package.
 * @param from relative to the repository's root
 * @returns the folder of the copy
 * @throws Error when a text to replace does not occur exactly once
 */
export function plantFolder(
  from: string,
  plantings: readonly Planting[],
): { folder: string; remove(): void } {
  const cache = join(repositoryRoot, '.cache');
  mkdirSync(cache, { recursive: true });
  const parent = mkdtempSync(join(cache, 'planted-'));
  const folder = join(parent, basename(from));
  for (const part of ['src', 'package.json', 'migrations'])
    cpSync(join(repositoryRoot, from, part), join(folder, part), { recursive: true });
  for (const { file, find, replace } of plantings) {
    const path = join(folder, file);
    const parts = readFileSync(path, 'utf8').split(find);
    if (parts.length !== 2) {
      rmSync(parent, { recursive: true, force: true });
      throw new Error(`the text to replace occurs ${parts.length - 1} times in ${file}: ${find}`);
    }
    writeFileSync(path, parts.join(replace));
  }
  return { folder, remove: () => rmSync(parent, { recursive: true, force: true }) };
}
