import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listSources } from './source-files.ts';

// What gives another answer every time and needs no forbidden import.
const IMPURE =
  /\b(?:randomBytes|randomUUID|randomInt|randomFill(?:Sync)?|getRandomValues|Math\.random|newId|Date\.now|performance\.now|setTimeout|setInterval|setImmediate)\b|\bnew Date\(\)/;

/** Lines of rules and packages/deck that read a clock or draw random bytes; both are arguments. */
export function findImpureRules(root: string): string[] {
  const rules = listSources(root, ['services', 'packages']).filter(file =>
    /\/rules\/|\.rules\.ts$|^packages\/deck\//.test(file),
  );
  return rules.flatMap(file =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        IMPURE.test(line) && !/^\s*(?:\/?\*|\/\/)/.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
      ),
  );
}
