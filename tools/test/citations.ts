import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file of an id's entry, and the beginning of its line there. */
const LAWS = [
  { file: 'docs/decisions.md', entry: /^(?:\| |## )(D-\d+) /gm },
  { file: 'docs/api.md', entry: /^## (API-\d+) /gm },
  { file: 'docs/proofs.md', entry: /^\| ((?:G-[A-Z]|R-[CMm])\d+) \|/gm },
] as const;
const CITATION = /\b(?:D|API|G-[A-Z]|R-[CMm])-?\d+\b/g;
/** Citations by number of documents that are not in the repository. */
const UNRESOLVABLE = /\b(?:decisions? \d+|(?:spec|additions|architecture)(?:,)? sections? \d+)\b/gi;

/** Ids that are cited but have no entry, as `file:line: id`. */
export function findDeadCitations(root: string, files: readonly string[]): string[] {
  const known = new Set(
    LAWS.flatMap(({ file, entry }) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(entry)].map(([, id]) => id as string),
    ),
  );
  return files.flatMap(file =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const dead = [...line.matchAll(CITATION)].map(([id]) => id).filter(id => !known.has(id));
        const unresolvable = [...line.matchAll(UNRESOLVABLE)].map(([text]) => text);
        return [...dead, ...unresolvable].map(text => `${file}:${index + 1}: ${text}`);
      }),
  );
}
