/** The examples of the guides, as programs: all examples of one guide in one language, in their order. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../../tools/test/run-command.ts';

export type Language = 'curl' | 'TypeScript' | 'Python' | 'CLI';

// A later guide works with what an earlier one made.
const order = [
  'quickstart',
  'approve',
  'schedule',
  'automate',
  'webhooks',
  'errors',
  'limits',
  'agents',
  'n8n',
];
const folder = join(ROOT, 'docs/guides');

/** @throws Error for a guide that is not in the order */
export function guideNames(): string[] {
  const found = readdirSync(folder).map(file => file.replace('.md', ''));
  const missing = found.filter(name => !order.includes(name));
  if (missing.length > 0) throw new Error(`give ${missing.join(', ')} a place in the order of the guides`);
  return order.filter(name => found.includes(name));
}

/** Null: the guide has no example in this language. */
export function guideProgram(name: string, language: Language): string | null {
  const text = readFileSync(join(folder, `${name}.md`), 'utf8');
  const blocks = [...text.matchAll(/^```(\S+)(?: tab=(\S+))?\n([\s\S]*?)^```$/gm)]
    .filter(([, fence, tab, code]) =>
      tab === undefined
        ? language === 'curl' && fence === 'sh' && code?.startsWith('curl')
        : tab === language,
    )
    .map(([, , , code]) => code);
  return blocks.length === 0 ? null : blocks.join('\n');
}
