import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run-command.ts';

/** What a phone may load before the first deck is on screen, compressed and without its pictures. */
const maxBytes = 130_000;
const dist = join(ROOT, 'packages/console/dist');

/** The page itself and what it names for Approve: manifest and touch icon are for whoever installs it. */
function firstScreenBytes(): number {
  const page = readFileSync(join(dist, 'index.html'), 'utf8');
  const tags = page.replaceAll(/<link rel="(?:manifest|apple-touch-icon)"[^>]*>/g, '');
  const named = [...tags.matchAll(/(?:href|src)="\/console\/([^"]+)"/g)].map(([, file]) => file as string);
  return ['index.html', ...named].map(sentBytes).reduce((sum, bytes) => sum + bytes, 0);
}

/** Fonts are compressed already and have no `.br` beside them. */
function sentBytes(file: string): number {
  const compressed = statSync(join(dist, `${file}.br`), { throwIfNoEntry: false });
  return (compressed ?? statSync(join(dist, file))).size;
}

/** The size of the first screen and its limit. */
export function describeFirstScreen(): string {
  const kB = (bytes: number) => (bytes / 1_000).toFixed(1);
  return `${kB(firstScreenBytes())} of ${kB(maxBytes)} kB`;
}

export async function checkFirstScreen(): Promise<string[]> {
  if (firstScreenBytes() <= maxBytes) return [];
  return [`The first screen of the console loads ${describeFirstScreen()}.`];
}
