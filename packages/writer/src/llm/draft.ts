/** The parts of a deck that a model writes, their lengths, and the rules they can break. */
import type { DeckPlan } from '@hookline/deck';

export type DeckWanted = {
  plan: DeckPlan;
  /** The hook is given, so none is written. */
  hasHook: boolean;
  /** The hook must promise the number of body slides. */
  isCounted: boolean;
  appName: string;
};

/** The parts that a model writes. The direct closing line follows by rule. */
export type Draft = {
  /** Empty when the hook is given. */
  hooks: string[];
  /** There is one for each slide of the deck; null is not written yet. */
  slides: (string | null)[];
  soft: string | null;
  caption: string | null;
  /** As the model tags them, not checked yet. */
  hashtags: string[];
  /** BCP 47, as the model names it. */
  language: string | null;
};

/** Fields of a question: all of them first, some of them in a repair. `slides`: indexes. */
export type Fields = { hooks: number; slides: number[] | 'all'; soft: boolean; caption: boolean };

/**
 * A broken rule as sent to the model: `where` is the field (`hookOptions`, `slide2`, `ctaSoft`, `caption`),
 * `found` the offending words, shortened.
 */
export type BrokenRule = { where: string; rule: string; found?: string };

/**
 * The built-in writer's limits (writing guide: refuse when generated). Languages without spaces count
 * characters only. The schema of a question has the characters too.
 */
export const lengths = {
  hook: { wordsMax: 14, charactersMin: 6, charactersMax: 80 },
  body: { wordsMax: 32, charactersMin: 6, charactersMax: 180 },
  soft: { wordsMax: 24, charactersMin: 6, charactersMax: 180 },
  caption: { wordsMax: 70, charactersMin: 30, charactersMax: 400 },
} as const;
