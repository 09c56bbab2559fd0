import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const WRITE_SQL =
  /\binsert\s+into\b|\bdelete\s+from\b|\bmerge\s+into\b|(?<!\bfor\s+(?:no\s+key\s+)?)\bupdate\s+(?!skip\b|of\b|nowait\b)[a-z_"$]/i;
const TRANSACTION = /\.transaction\s*(?:<[^;(]*>)?\(/;
const OWN_IMPORT = /import\s+(?!type\b)\{([^}]*)\}\s+from\s+'(\.\.?\/[^']+\.ts)'/g;
const DECLARATION = /^(?:export )?(?:async )?(?:function\*?|const|let) (\w+)/;

export type Declaration = { name: string; isExported: boolean; text: string };

export type WriteFinder = {
  /** True when the declaration writes, by itself or by what it uses. */
  writes(file: string, name: string): boolean;
  /** The first function by which a text of the file writes; null when it only reads. */
  findWriter(file: string, text: string): string | null;
};

/**
 * Follows names: a declaration writes when it contains SQL that writes, opens a transaction, or uses a
 * declaration of its file or of an imported file of the same service that does. What a dependency that was
 * passed in does is not seen.
 */
export function createWriteFinder(root: string): WriteFinder {
  const known = new Map<string, boolean>();

  function writes(file: string, name: string): boolean {
    const key = `${file} ${name}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    known.set(key, false);
    const text = declarationsIn(file).find(one => one.name === name)?.text;
    const found = text !== undefined && (isWrite(text) || findWriter(file, text, name) !== null);
    known.set(key, found);
    return found;
  }

  function findWriter(file: string, text: string, own?: string): string | null {
    const uses = (name: string): boolean => name !== own && new RegExp(`(?<!\\.)\\b${name}\\b`).test(text);
    const local = declarationsIn(file).find(({ name }) => uses(name) && writes(file, name));
    if (local) return local.name;
    for (const [, list = '', from = ''] of sourceOf(file).matchAll(OWN_IMPORT)) {
      const other = join(dirname(file), from);
      const imported = namesIn(list).find(({ local, exported }) => uses(local) && writes(other, exported));
      if (imported) return imported.exported;
    }
    return null;
  }

  const sources = new Map<string, string>();
  function sourceOf(file: string): string {
    const source = sources.get(file) ?? read(join(root, file));
    sources.set(file, source);
    return source;
  }

  const declarations = new Map<string, Declaration[]>();
  function declarationsIn(file: string): Declaration[] {
    const found = declarations.get(file) ?? declarationsOf(sourceOf(file));
    declarations.set(file, found);
    return found;
  }

  return { writes, findWriter };
}

export function isWrite(text: string): boolean {
  return WRITE_SQL.test(text) || TRANSACTION.test(text);
}

function read(path: string): string {
  return existsSync(path) ? withoutComments(readFileSync(path, 'utf8')) : '';
}

/** The names of an import list, without types. */
export function namesIn(list: string): { exported: string; local: string }[] {
  return list
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '' && !part.startsWith('type '))
    .map(part => {
      const [exported = part, local = exported] = part.split(/\s+as\s+/);
      return { exported, local };
    });
}

/**
 * Functions and constants at the top level. The text of each ends where the next statement of the file
 * begins.
 */
export function declarationsOf(source: string): Declaration[] {
  const statements = source.split(/^(?=(?:export |async |function|const |let |type |import ))/m);
  return statements.flatMap(text => {
    const name = DECLARATION.exec(text)?.[1];
    return name === undefined ? [] : [{ name, isExported: text.startsWith('export '), text }];
  });
}

export function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');
}
