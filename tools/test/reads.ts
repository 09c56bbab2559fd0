import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listFiles } from './source-files.ts';

/** Names of functions that only read. */
const READS = /^(find|list|get|count|sum|is|has|read)(?=[A-Z]|$)/;
const WRITE_SQL =
  /\binsert\s+into\b|\bdelete\s+from\b|\bmerge\s+into\b|(?<!\bfor\s+(?:no\s+key\s+)?)\bupdate\s+(?!skip\b|of\b|nowait\b)[a-z_"$]/i;
const QUERY_IMPORT = /import\s+(type\s+)?(\{[^}]*\}|\*\s+as\s+\w+)\s+from\s+'(\.\.\/queries\/[^']+)'/g;
const SIBLING_IMPORT = /import\s+(?!type\b)\{([^}]*)\}\s+from\s+'(\.\/[^']+\.ts)'/g;
const DECLARATION = /^(?:export )?(?:async )?(?:function\*?|const|let) (\w+)/;

type Declaration = { name: string; isExported: boolean; text: string };

/**
 * Writes that pass for reads in the services. Functions that routes, workers and the gate import from
 * `queries/` must be named as a read, and a query with such a name must not write, neither with its own SQL
 * nor through a query it uses.
 */
export function findDisguisedWrites(root: string): string[] {
  const files = listFiles(join(root, 'services'), ['.ts']).map(file => join('services', file));
  const product = files.filter(file => file.includes('/src/') && !file.endsWith('.test.ts'));
  const writes = createWriteFinder(root);
  return product.flatMap(file => {
    const text = readFileSync(join(root, file), 'utf8');
    if (/\/src\/(routes|workers|gate)\//.test(file))
      return findWritingImports(text).map(line => `${file}: ${line}`);
    if (!file.includes('/src/queries/')) return [];
    return declarationsOf(text)
      .filter(({ name, isExported }) => isExported && READS.test(name) && writes(file, name))
      .map(({ name }) => `${file}: ${name} is named as a read and writes`);
  });
}

function findWritingImports(text: string): string[] {
  return [...text.matchAll(QUERY_IMPORT)].flatMap(([, type, names = '', from]) => {
    if (type) return [];
    if (!names.startsWith('{')) return [`imports all of ${from}; name the reads`];
    return importedNames(names.slice(1, -1))
      .filter(name => !READS.test(name))
      .map(name => `imports ${name} of ${from}, which is not named as a read; call an action`);
  });
}

/** The exported names, without types. */
function importedNames(list: string): string[] {
  return list
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '' && !part.startsWith('type '))
    .map(part => part.split(/\s+as\s+/)[0] ?? part);
}

/** True when a declaration contains SQL that writes, or uses one that does, in its file or in a sibling. */
function createWriteFinder(root: string): (file: string, name: string) => boolean {
  const known = new Map<string, boolean>();

  function writes(file: string, name: string): boolean {
    const key = `${file} ${name}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    known.set(key, false);
    const found = look(file, name);
    known.set(key, found);
    return found;
  }

  function look(file: string, name: string): boolean {
    if (!existsSync(join(root, file))) return false;
    const source = readFileSync(join(root, file), 'utf8');
    const declarations = declarationsOf(source);
    const text = declarations.find(one => one.name === name)?.text;
    if (text === undefined) return false;
    if (WRITE_SQL.test(text)) return true;
    const uses = (other: string): boolean => other !== name && new RegExp(`\\b${other}\\b`).test(text);
    if (declarations.some(one => uses(one.name) && writes(file, one.name))) return true;
    return [...source.matchAll(SIBLING_IMPORT)].some(([, list = '', from = '']) =>
      importedNames(list).some(other => uses(other) && writes(join(dirname(file), from), other)),
    );
  }

  return writes;
}

/**
 * Functions and constants at the top level. The text of each ends where the next statement of the file
 * begins.
 */
function declarationsOf(source: string): Declaration[] {
  const statements = withoutComments(source).split(
    /^(?=(?:export |async |function|const |let |type |import ))/m,
  );
  return statements.flatMap(text => {
    const name = DECLARATION.exec(text)?.[1];
    return name === undefined ? [] : [{ name, isExported: text.startsWith('export '), text }];
  });
}

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');
}
