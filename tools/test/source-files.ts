import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const IGNORED = new Set([
  'node_modules',
  '.git',
  '.data',
  '.cache',
  'coverage',
  'dist',
  'results',
  '.claude',
]);

/**
 * Every file below `root` with one of the endings, as relative paths; without installed files and those
 * generated at run time.
 */
export function listFiles(root: string, endings: readonly string[]): string[] {
  const found: string[] = [];
  const walk = (dir: string): void => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      if (IGNORED.has(entry.name)) continue;
      const path = join(dir, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (endings.some(ending => entry.name.endsWith(ending))) found.push(relative(root, path));
    }
  };
  walk(root);
  return found.sort();
}

/** TypeScript of the product in these folders: what is below a `src/` and no test, as paths from `root`. */
export function listSources(root: string, folders: readonly string[]): string[] {
  return folders
    .flatMap(folder => listFiles(join(root, folder), ['.ts']).map(file => join(folder, file)))
    .filter(file => file.includes('/src/') && !file.endsWith('.test.ts'));
}
