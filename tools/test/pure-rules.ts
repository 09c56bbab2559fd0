import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from './source-files.ts';

// What gives another answer every time and needs no forbidden import.
const IMPURE =
  /\b(?:randomBytes|randomUUID|randomInt|randomFill(?:Sync)?|getRandomValues|Math\.random|newId|Date\.now|performance\.now|setTimeout|setInterval|setImmediate)\b|\bnew Date\(\)/;

/** Lines of rules/ and packages/deck that read a clock or draw random bytes; both are arguments. */
export function findImpureRules(root: string): string[] {
  const files = ['services', 'packages'].flatMap(folder =>
    listFiles(join(root, folder), ['.ts']).map(file => join(folder, file)),
  );
  const rules = files.filter(
    file => /\/rules\/|^packages\/deck\/src\//.test(file) && !/\.test\.ts$|\/(?:test|dist)\//.test(file),
  );
  return rules.flatMap(file =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        IMPURE.test(line) && !/^\s*(?:\/?\*|\/\/)/.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
      ),
  );
}
