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
    { kind: 'model', provider: 'custom', baseUrl: LLM_BASE_URL, model: 'gemma3', apiKey: undefined },
  ],
  [
    { WRITER: 'auto', LLM_PROVIDER: 'openai' as const },
    { kind: 'incomplete', missing: ['LLM_API_KEY'] },
  ],
  [
    { WRITER: 'auto', LLM_PROVIDER: 'custom' as const, LLM_API_KEY: 'k' },
    { kind: 'incomplete', missing: ['LLM_BASE_URL', 'LLM_MODEL'] },
  ],
  [
    { WRITER: 'auto', LLM_PROVIDER: 'mistral' as const, LLM_API_KEY: 'k', LLM_MODEL: 'large' },
    {
      kind: 'model',
      provider: 'mistral',
      baseUrl: 'https://api.mistral.ai/v1',
      model: 'large',
      apiKey: 'k',
    },
  ],
])('%j: %j', (settings, chosen) => expect(chooseWriter(settings)).toEqual(chosen));
