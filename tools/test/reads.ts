import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listSources } from './source-files.ts';
import { createWriteFinder, declarationsOf, namesIn, withoutComments } from './writes.ts';

/** Names of functions that only read. */
const READS = /^(find|list|get|count|sum|is|has|read)(?=[A-Z]|$)/;
const QUERY_IMPORT =
  /(?:import|export)\s+(type\s+)?(\{[^}]*\}|\*(?:\s+as\s+\w+)?)\s+from\s+'((?:\.\.?\/)+queries\/[^']+)'/g;
// Actions write; queries use each other; ops.ts is the face for operators' commands, which are actions.
const MAY_WRITE = /\/src\/(?:actions\/|queries\/|ops\.ts$)/;

/**
 * Writes that pass for reads in the services. What anything but an action imports from `queries/` must
 * be named as a read, and a query with such a name must not write, neither with its own SQL nor
 * through a query it uses.
 */
export function findDisguisedWrites(root: string): string[] {
  const { writes } = createWriteFinder(root);
  return listSources(root, ['services']).flatMap(file => {
    const text = withoutComments(readFileSync(join(root, file), 'utf8'));
    const imports = MAY_WRITE.test(file) ? [] : findWritingImports(text).map(line => `${file}: ${line}`);
    if (!file.includes('/src/queries/')) return imports;
    return declarationsOf(text)
      .filter(({ name, isExported }) => isExported && READS.test(name) && writes(file, name))
      .map(({ name }) => `${file}: ${name} is named as a read and writes`);
  });
}

function findWritingImports(text: string): string[] {
  return [...text.matchAll(QUERY_IMPORT)].flatMap(([, type, names = '', from]) => {
    if (type) return [];
    if (!names.startsWith('{')) return [`imports all of ${from}; name the reads`];
    return namesIn(names.slice(1, -1))
      .filter(({ exported }) => !READS.test(exported))
      .map(({ exported }) => `imports ${exported} of ${from}, which is not named as a read; call an action`);
  });
}
