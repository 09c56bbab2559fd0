/** The repository files in each process's image: those that the Dockerfile copies and does not remove. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { ROOT } from '../test/run-command.ts';
import { listFiles } from '../test/source-files.ts';

/** Entry point of each image. */
export const imageEntries: Readonly<Record<string, string>> = {
  gateway: 'services/gateway/src/main.ts',
  content: 'services/content/src/main.ts',
  scheduling: 'services/scheduling/src/main.ts',
  automation: 'services/automation/src/main.ts',
  analytics: 'services/analytics/src/main.ts',
  simulators: 'packages/simulators/src/main.ts',
  migrate: 'packages/shared/src/postgres/migrate-main.ts',
  ops: 'ops/src/main.ts',
  hookline: 'deploy/standalone/src/main.ts',
};

let source: string | undefined;

/** Builds the tree of an image, passes it to `use`, and removes it. */
export function withImage<T>(image: string, use: (root: string) => T): T {
  source ??= copySource();
  const root = mkdtempSync(`${source}-of-`);
  try {
    execFileSync('cp', ['-al', `${source}/.`, root]);
    execFileSync(process.execPath, ['deploy/workspace-of.mjs', image, '--keep'], { cwd: root });
    return use(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Copies the files of the build context once; the tree of each image links to them. */
function copySource(): string {
  const folder = join(ROOT, '.cache/image-files');
  rmSync(folder, { recursive: true, force: true });
  for (const file of copiedFiles()) cpSync(join(ROOT, file), join(folder, file));
  return folder;
}

/**
 * The files that `.dockerignore` includes: those of its `!` lines, without those of later lines.
 */
function copiedFiles(): string[] {
  const lines = readFileSync(join(ROOT, '.dockerignore'), 'utf8').trim().split('\n');
  const covers = (line: string, file: string): boolean =>
    line === '**' || matchesGlob(file, line) || matchesGlob(file, `${line}/**`);
  return listFiles(ROOT, ['']).filter(file =>
    lines.reduce((isIn, line) => {
      const pattern = line.replace(/^!/, '');
      return covers(pattern, file) ? line.startsWith('!') : isIn;
    }, true),
  );
}

const IMPORT = /(?:^|\n)(?:import|export)(?! type\b)[^;']*? from '([^']+)'|\bimport\(?\s*'([^']+)'/g;

/**
 * Follows the imports of an image's entry.
 * @returns files that are missing from the image, and packages that the importing workspace does not declare
 */
export function findMissingImports(root: string, entry: string): string[] {
  const missing: string[] = [];
  const seen = new Set<string>();
  const follow = (file: string, importer: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    if (!existsSync(join(root, file))) {
      missing.push(`${importer} imports ${file}, which is not in the image`);
      return;
    }
    if (!file.endsWith('.ts')) return;
    for (const [, from, called] of readFileSync(join(root, file), 'utf8').matchAll(IMPORT)) {
      const name = from ?? called ?? '';
      if (name.startsWith('.')) follow(join(dirname(file), name), file);
      else if (!name.startsWith('node:')) followPackage(name, file);
    }
  };
  const followPackage = (name: string, importer: string): void => {
    const [first = '', second = '', ...rest] = name.split('/');
    const isScoped = first.startsWith('@');
    const packageName = isScoped ? `${first}/${second}` : first;
    const workspace = workspaceOf(importer);
    const { dependencies = {} } = readManifest(join(ROOT, workspace));
    if (!(packageName in dependencies))
      missing.push(`${importer} imports ${name}, which ${workspace} does not declare`);
    if (first !== '@hookline') return;
    const folder = workspaceFolders().get(packageName) ?? packageName;
    const { exports: offered = {} } = readManifest(join(ROOT, folder));
    const target = offered[['.', ...rest].join('/')] ?? offered['./*']?.replace('*', rest.join('/'));
    follow(join(folder, target ?? 'no such export'), importer);
  };
  follow(entry, 'the command');
  return missing;
}

type Manifest = { name: string; dependencies?: Record<string, string>; exports?: Record<string, string> };

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

function workspaceOf(file: string): string {
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder))
    if (existsSync(join(ROOT, folder, 'package.json'))) return folder;
  throw new Error(`${file} is in no workspace`);
}

let folders: Map<string, string> | undefined;

function workspaceFolders(): Map<string, string> {
  folders ??= new Map(
    listFiles(ROOT, ['package.json']).map(path => [
      readManifest(join(ROOT, dirname(path))).name,
      dirname(path),
    ]),
  );
  return folders;
}
