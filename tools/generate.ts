import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { documents } from './generate/documents.ts';
import { sdkFiles } from './generate/sdk-files.ts';

const root = join(import.meta.dirname, '..');

/** `--check` writes nothing and exits 1 when a document is out of date. */
function main(args: readonly string[]): void {
  const unknown = args.find(argument => argument !== '--check');
  if (unknown !== undefined) {
    console.error(`There is no option "${unknown}"; the only one is --check.`);
    process.exitCode = 2;
    return;
  }
  const files = { ...documents(), ...sdkFiles() };
  const stale = Object.entries(files).filter(([file, text]) => readDocument(file) !== text);
  if (args.includes('--check')) {
    for (const [file] of stale) {
      console.error(`${file} is not what the code says: run "npm run generate" and commit it.`);
    }
    process.exitCode = stale.length === 0 ? 0 : 1;
    return;
  }
  for (const [file, text] of stale) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
    console.log(`written: ${file}`);
  }
  if (stale.length === 0) console.log('Everything is up to date.');
}

function readDocument(file: string): string | null {
  const path = join(root, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

main(process.argv.slice(2));
