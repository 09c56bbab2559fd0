import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { listFiles } from './source-files.ts';

const MAX = 110;
// A whole line, or what stands behind code. `--` is SQL, in files of its own and in texts of TypeScript.
const SLASHES = /^\s*(?:\/\/|\/?\*(?!\*\S)|--\s)|[\s;,({]\/[/*]\s/;
const COMMENTS: readonly { endings: readonly string[]; comment: RegExp }[] = [
  { endings: ['.ts', '.tsx', '.mts', '.mjs', '.css'], comment: SLASHES },
  { endings: ['.sql'], comment: /^\s*(?:--|\/?\*)|\s--\s/ },
  { endings: ['.yaml', '.yml', '.sh', 'Dockerfile'], comment: /^\s*#|\s#\s/ },
];
const URL = /https?:\/\/\S+/g;

/**
 * The last migration of each folder from before the limit. A migration that ran is never changed, not even
 * its comments.
 */
const OLDER_MIGRATIONS: Readonly<Record<string, number>> = {
  'packages/shared/migrations/bus': 1,
  'packages/shared/migrations/messaging': 4,
  'services/analytics/migrations': 8,
  'services/automation/migrations': 26,
  'services/content/migrations': 25,
  'services/gateway/migrations': 31,
  'services/scheduling/migrations': 25,
};

/** Comments that end beyond column 110, as `file:line: text`. Addresses do not count: nothing wraps them. */
export function findLongComments(
  root: string,
  olderMigrations: Readonly<Record<string, number>> = OLDER_MIGRATIONS,
): string[] {
  return COMMENTS.flatMap(({ endings, comment }) =>
    listFiles(root, endings)
      .filter(file => !isOlder(file, olderMigrations))
      .flatMap(file => longCommentsIn(root, file, comment)),
  );
}

function isOlder(file: string, olderMigrations: Readonly<Record<string, number>>): boolean {
  const number = Number(/^\d+(?=_\w+\.sql$)/.exec(basename(file))?.[0]);
  return number <= (olderMigrations[dirname(file)] ?? 0);
}

function longCommentsIn(root: string, file: string, comment: RegExp): string[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  return lines.flatMap((line, index) =>
    line.replaceAll(URL, '').length > MAX && comment.test(line)
      ? [`${file}:${index + 1}: ${line.trim()}`]
      : [],
  );
}
