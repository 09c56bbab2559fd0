/** What the decks of an app say about its next hook (docs/learning.md). */
import { formOfHook, type Lesson, learnedHooksMax } from '@hookline/shared/contracts/lesson';
import { estimateDecks, exact } from './ledger.rules.ts';
import type { ComparedDeck } from './record.ts';

/** Below, chance alone would choose. */
const decksMin = 5;

export type LearnedDeck = Pick<ComparedDeck, 'contentId' | 'appId' | 'tiktokAccountId' | 'views'> &
  Pick<ComparedDeck, 'hook' | 'archetype'>;

/** Empty lists while the app has too few decks. */
export function lessonOf(all: readonly LearnedDeck[]): Lesson {
  const decks = all.filter(({ hook }) => hook !== '');
  if (decks.length < decksMin) return { best: [], worst: [], archetypes: [], forms: [] };
  const learned = (values: readonly (string | null)[]) =>
    estimateDecks(decks, values)
      .estimates.map(({ value, own, mean, sd }) => {
        const views = exact(own.reduce((sum, deck) => sum + deck.views, 0) / own.length);
        return { value, decks: own.length, views, mean: round(mean), sd: round(sd) };
      })
      .toSorted((one, other) => other.mean - one.mean || (one.value < other.value ? -1 : 1));
  const posteriors = (values: readonly (string | null)[]) =>
    learned(values).map(({ views: _, ...posterior }) => posterior);
  const hooks = learned(decks.map(({ hook }) => hook));
  return {
    best: hooks.filter(({ mean }) => mean > 0).slice(0, learnedHooksMax),
    worst: hooks
      .filter(({ mean }) => mean < 0)
      .slice(-learnedHooksMax)
      .toReversed(),
    archetypes: posteriors(decks.map(({ archetype }) => archetype)),
    forms: posteriors(decks.map(({ hook }) => formOfHook(hook))),
  };
}

const round = (value: number) => Math.round(value * 1_000) / 1_000;
