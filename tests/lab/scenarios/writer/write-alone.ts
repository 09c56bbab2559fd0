/** The model's writer without the product: each deck has a new breaker, so that every one is asked for. */
import { createLogger } from '@hookline/shared/kernel';
import { createLlmWriter, WritingRefused } from '@hookline/writer';
import type { Case } from './cases.ts';

export type Model = { baseUrl: string; name: string; apiKey: string | undefined };
export type Alone = {
  atOnce: number;
  repaired: number;
  failed: number;
  answers: number;
  tokens: number;
  ms: number[];
  /** Reasons of failures with their numbers. */
  reasons: Map<string, number>;
};

const log = createLogger({ service: 'writer proof', level: 'silent' });

export async function writeAlone(model: Model, cases: readonly Case[], budgetMs: number): Promise<Alone> {
  const found: Alone = {
    atOnce: 0,
    repaired: 0,
    failed: 0,
    answers: 0,
    tokens: 0,
    ms: [],
    reasons: new Map(),
  };
  for (const [i, { listing, brief }] of cases.entries()) {
    const { baseUrl, name, apiKey } = model;
    const writer = createLlmWriter(
      { baseUrl, model: name, apiKey, budgetMs, inFlightMax: 1 },
      log,
      ({ tokens }) => {
        found.answers += 1;
        found.tokens += tokens.output;
      },
    );
    const beganMs = performance.now();
    try {
      const app = { ...listing, summary: null, store: listing.store as 'apple' | 'google' };
      const deck = await writer.write({ seed: `content_${i}`, app, brief });
      if (deck.writer.repaired) found.repaired += 1;
      else found.atOnce += 1;
    } catch (error) {
      if (!(error instanceof WritingRefused)) throw error;
      found.failed += 1;
      const reason = `${error.code}: ${/\((.+?)\);/.exec(error.message)?.[1] ?? error.message}`;
      found.reasons.set(reason, (found.reasons.get(reason) ?? 0) + 1);
    } finally {
      found.ms.push(performance.now() - beganMs);
      await writer.close();
    }
  }
  return found;
}
