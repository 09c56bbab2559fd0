import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { documents } from './generate/documents.ts';

const root = join(import.meta.dirname, '..');

/** `--check` writes nothing and exits 1 when a document is out of date. */
async function main(args: readonly string[]): Promise<void> {
  const unknown = args.find(argument => argument !== '--check');
  if (unknown !== undefined) {
    console.error(`There is no option "${unknown}"; the only one is --check.`);
    process.exitCode = 2;
    return;
  }
  const settle = args.includes('--check') ? report : write;
  const stale = settle(documents());
  if (stale === 0 && settle === write) console.log('Everything is up to date.');
}

type Files = Readonly<Record<string, string>>;

/** @returns how many were out of date, as `write` does */
function report(files: Files): number {
  const stale = staleOf(files);
  for (const [file] of stale) {
    console.error(`${file} is not what the code says: run "npm run generate" and commit it.`);
  }
  if (stale.length > 0) process.exitCode = 1;
  return stale.length;
}

function write(files: Files): number {
  const stale = staleOf(files);
  for (const [file, text] of stale) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
    console.log(`written: ${file}`);
  }
  return stale.length;
}

function staleOf(files: Files): [string, string][] {
  return Object.entries(files).filter(([file, text]) => readDocument(file) !== text);
}

function readDocument(file: string): string | null {
  const path = join(root, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

await main(process.argv.slice(2));
