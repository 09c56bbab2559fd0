import type { TextModelTest } from '@hookline/shared/contracts/text-model';
import { type ChatSettings, createChatClient } from '@hookline/writer';
import { withoutKey } from './endpoint.rules.ts';

/** `status` is the endpoint's, 0 without an answer. */
export type Tried = TextModelTest & { status: number };

/** Writes one short sentence. Never throws: a refusal is an outcome. */
export async function tryModel(settings: ChatSettings, timeoutMs: number): Promise<Tried> {
  const client = createChatClient(settings);
  const startedMs = performance.now();
  try {
    const tried = await client.try(timeoutMs);
    const milliseconds = Math.round(performance.now() - startedMs);
    const ok = 'sentence' in tried;
    const message = withoutKey(ok ? tried.sentence : tried.words, settings.apiKey);
    return { ok, milliseconds, message, status: ok ? 200 : tried.status };
  } finally {
    await client.close();
  }
}
