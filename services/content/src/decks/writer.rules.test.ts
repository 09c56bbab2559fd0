import { expect, it } from 'vitest';
import { chooseWriter } from './writer.rules.ts';

const LLM_BASE_URL = 'http://127.0.0.1:11434/v1';

it.each([
  [{ WRITER: 'auto' }, { kind: 'builtin' }],
  [{ WRITER: 'builtin', LLM_BASE_URL }, { kind: 'builtin' }],
  [{ WRITER: 'model' }, { kind: 'incomplete', missing: ['LLM_BASE_URL', 'LLM_MODEL'] }],
  [
    { WRITER: 'model', LLM_BASE_URL },
    { kind: 'incomplete', missing: ['LLM_MODEL'] },
  ],
  [
    { WRITER: 'auto', LLM_MODEL: 'gemma3' },
    { kind: 'incomplete', missing: ['LLM_BASE_URL'] },
  ],
  [
    { WRITER: 'auto', LLM_API_KEY: 'k' },
    { kind: 'incomplete', missing: ['LLM_BASE_URL', 'LLM_MODEL'] },
  ],
  [
    { WRITER: 'auto', LLM_BASE_URL, LLM_MODEL: 'gemma3' },
    { kind: 'model', baseUrl: LLM_BASE_URL, model: 'gemma3' },
  ],
])('%j: %j', (settings, chosen) => expect(chooseWriter(settings)).toEqual(chosen));
