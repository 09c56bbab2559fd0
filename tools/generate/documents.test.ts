import { describe, expect, it } from 'vitest';
import { table } from './markdown.ts';
import { references } from './references.ts';
import { configurationPage, environmentExample } from './settings-pages.ts';

describe('generated documents', () => {
  const made = {
    NEW_ONE: { about: 'A setting of no chapter.', default: 'a|b' },
    PORT: { about: 'Port of the `gateway`.', default: '8080' },
    LLM_API_KEY: { about: 'Key.', secret: true as const },
  };

  it('the environment example comments every setting out, with its default', () => {
    const text = environmentExample(made);
    expect(text).toContain('## Process\n\n# Port of the gateway.\n#PORT=8080\n');
    expect(text).toContain('# Key. (secret)\n#LLM_API_KEY=\n');
    expect(text).toContain('## Other\n\n# A setting of no chapter.\n#NEW_ONE=a|b\n');
    expect(text.split('\n').filter(line => line !== '' && !line.startsWith('#'))).toEqual([]);
  });

  it('the configuration page has a row per setting, a pipe escaped', () => {
    const text = configurationPage(made);
    expect(text).toContain('| `NEW_ONE` | `a\\|b` | A setting of no chapter. |');
    expect(text).toContain('| `LLM_API_KEY` |  | Key. **Secret.** |');
  });

  it('a line break in a cell does not end the table', () => {
    expect(table(['a', 'b'], [['1', 'two\n  lines']])).toBe('| a | b |\n|---|---|\n| 1 | two lines |');
  });

  it('the references name every code and every event once', () => {
    expect(references.errors?.().match(/^\| `not_found` /gm)).toHaveLength(1);
    expect(references.events?.().match(/^## schedule\.failed$/gm)).toHaveLength(1);
  });
});
