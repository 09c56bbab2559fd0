/**
 * The built files of the console. They are committed, so that nobody who only starts the product installs
 * Vite; a build of the same sources gives the same bytes.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { differences, digestOf, filesBelow } from '../built-files.ts';
import { ensureInstalled, isInstalled } from '../install.mjs';
import { ROOT, runTool } from '../test/run-command.ts';

export const consoleDir = join(ROOT, 'packages/console');
const builtDir = join(consoleDir, 'dist');
/** Names the sources that `dist` was built from. */
const recordFile = join(consoleDir, 'built-from.json');
const howToBuild = 'run npm run console';
/** Everything else, such as the font, is compressed already. */
const compressible = new Set(['.html', '.js', '.css', '.svg']);
const buildTimeoutMs = 300_000;
/** What a phone may have to load before the first deck is on screen, compressed and without its pictures. */
const firstScreenMaxBytes = 120_000;

const isBuilt = (file: string) => !file.includes('.test.');

/** One digest of everything that a build reads. */
function digestSources(): string {
  const single = ['index.html', 'package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts'];
  return digestOf(consoleDir, [
    ...single.map(name => join(consoleDir, name)),
    ...filesBelow(join(consoleDir, 'src')).filter(isBuilt),
    // The only file of another package that is bundled.
    join(consoleDir, '../sdk/dist/scopes.js'),
  ]);
}

export function isConsoleInstalled(): boolean {
  return isInstalled(consoleDir);
}

async function installConsole(): Promise<void> {
  await ensureInstalled({
    dir: consoleDir,
    lock: join(ROOT, '.cache/install-console.lock'),
    what: 'what builds the console',
    env: process.env,
    say: line => console.error(`hookline: ${line}`),
  });
}

async function run(script: string, args: readonly string[], cwd: string): Promise<void> {
  const { code, output } = await runTool(script, args, { cwd, timeoutMs: buildTimeoutMs });
  if (code !== 0) throw new Error(output.trim() || `${script} ended with ${code}`);
}

async function buildInto(dir: string): Promise<void> {
  await run('node_modules/typescript/bin/tsc', ['--noEmit', '-p', consoleDir], ROOT);
  const vite = join(consoleDir, 'node_modules/vite/bin/vite.js');
  await run(vite, ['build', '--emptyOutDir', '--outDir', dir, '--logLevel', 'warn'], consoleDir);
  for (const file of filesBelow(dir).filter(name => compressible.has(extname(name)))) {
    const bytes = readFileSync(file);
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
  }
}

/**
 * Builds `packages/console/dist`, after installing what that takes.
 * @returns bytes of the compressed files by name
 */
export async function buildConsole(): Promise<{ file: string; bytes: number }[]> {
  await installConsole();
  await buildInto(builtDir);
  writeFileSync(recordFile, `${JSON.stringify({ sources: digestSources() }, null, 2)}\n`);
  return sizesOf(builtDir);
}

/** What the browser is sent for each file. */
function sizesOf(dir: string): { file: string; bytes: number }[] {
  return filesBelow(dir)
    .filter(file => !compressible.has(extname(file)))
    .map(file => ({ file: relative(dir, file).replace(/\.br$/, ''), bytes: readFileSync(file).length }));
}

/** The page itself and everything that it names: all that Approve needs. */
export function firstScreenBytes(): number {
  const page = readFileSync(join(builtDir, 'index.html'), 'utf8');
  const named = [...page.matchAll(/(?:href|src)="\/console\/([^"]+)"/g)].map(([, file]) => file as string);
  return sizesOf(builtDir)
    .filter(({ file }) => file === 'index.html' || named.includes(file))
    .reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The size of the first screen and its limit. */
export function describeFirstScreen(): string {
  const kB = (bytes: number) => (bytes / 1_000).toFixed(1);
  return `first screen ${kB(firstScreenBytes())} of ${kB(firstScreenMaxBytes)} kB`;
}

/**
 * What is wrong with the committed files. Their record is always checked; they are also built again and
 * compared byte for byte where Vite is installed, which takes 5 s.
 */
export async function findStaleConsole(): Promise<string[]> {
  const { sources } = JSON.parse(readFileSync(recordFile, 'utf8')) as { sources: string };
  if (sources !== digestSources()) {
    return [`packages/console/dist was built from other sources: ${howToBuild}`];
  }
  const bytes = firstScreenBytes();
  if (bytes > firstScreenMaxBytes) {
    return [
      `The first screen of the console loads ${bytes} bytes, and at most ${firstScreenMaxBytes} are allowed.`,
    ];
  }
  if (!isConsoleInstalled()) return [];
  const again = mkdtempSync(join(ROOT, '.cache/console-'));
  try {
    await buildInto(again);
    return differences(builtDir, again).map(
      name => `packages/console/dist/${name} differs from a build of the sources: ${howToBuild}`,
    );
  } finally {
    rmSync(again, { recursive: true, force: true });
  }
}
