import type { Logger } from '@hookline/shared/kernel';
import { type ChatSettings, createLlmWriter, WritingRefused } from '@hookline/writer';

export type ModelTimes = {
  /** Null where the endpoint does not stream. */
  firstTokenMs: number | null;
  /** One for each deck, with its repairs. */
  deckMs: number[];
  /** Why decks were not written. */
  refused: string[];
};

const decks = 2;
const deckMaxMs = 120_000;

/** Asks for a stream, then for decks about a listing, one after the other. */
export async function measureModel(settings: ChatSettings, log: Logger): Promise<ModelTimes> {
  const firstTokenMs = await timeFirstToken(settings);
  const writer = createLlmWriter({ ...settings, budgetMs: deckMaxMs, inFlightMax: 1 }, log);
  const deckMs: number[] = [];
  const refused: string[] = [];
  for (let deck = 0; deck < decks; deck += 1) {
    const startedMs = performance.now();
    try {
      await writer.write({ seed: `doctor ${deck}`, app, brief: { templateId: 'quote-card' } });
      deckMs.push(performance.now() - startedMs);
    } catch (error) {
      if (!(error instanceof WritingRefused)) throw error;
      refused.push(error.message);
    }
  }
  await writer.close();
  return { firstTokenMs, deckMs, refused };
}

/** What `LLM_BUDGET_SECONDS` should be: half as long again as the slowest deck. */
export function budgetOf(deckMs: readonly number[]): number {
  return Math.max(5, Math.ceil((Math.max(...deckMs) * 1.5) / 1_000));
}

async function timeFirstToken({ baseUrl, model, apiKey, extraBody }: ChatSettings): Promise<number | null> {
  const startedMs = performance.now();
  const messages = [{ role: 'user', content: 'Write one short sentence about morning light.' }];
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify({ model, messages, stream: true, ...extraBody }),
    redirect: 'manual',
    signal: AbortSignal.timeout(deckMaxMs),
  }).catch(() => null);
  let read = '';
  try {
    for await (const chunk of response?.ok ? (response.body ?? []) : []) {
      read += Buffer.from(chunk).toString('utf8');
      if (/"content"\s*:\s*"[^"]/.test(read)) return performance.now() - startedMs;
    }
  } catch {}
  return null;
}

const app = {
  name: 'Pebblo: Tiny Habit Tracker',
  description:
    'Pebblo keeps small habits small.\n- Log a habit in two taps\n- Rest days that do not break your streak\n- A weekly question instead of a score\n- Widgets for the lock screen\n- Works without an account',
  category: 'Productivity',
  country: 'us',
  store: 'apple' as const,
};
