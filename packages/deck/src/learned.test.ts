import { archetypes } from '@hookline/shared/contracts/brief';
import type { Lesson } from '@hookline/shared/contracts/lesson';
import { describe, expect, it } from 'vitest';
import { chooseArchetype, chooseHook, explainChoice } from './learned.ts';

const hooks = ['Nobody sees the rest day', 'What if rest is the work?', '3 signs that you need a day off'];
const sure = { decks: 40, sd: 0.05 };
const lesson: Lesson = {
  best: [{ ...sure, value: hooks[0]!, views: 900, mean: 0.4 }],
  worst: [],
  archetypes: [{ ...sure, value: 'authority', mean: -1.5 }],
  forms: [
    { ...sure, value: 'question', mean: 1 },
    { ...sure, value: 'short', mean: -1 },
  ],
};
const seeds = Array.from({ length: 200 }, (_, at) => `content_${at}`);
const shareOf = (values: readonly string[], wanted: string) =>
  values.filter(value => value === wanted).length / values.length;

describe('chooseHook', () => {
  it('takes the first without a lesson, and with one that knows nothing', () => {
    const empty: Lesson = { best: [], worst: [], archetypes: [], forms: [] };
    for (const given of [undefined, empty])
      expect(chooseHook(hooks, given, 'content_1')).toEqual({ value: hooks[0], known: null });
  });

  it('chooses the same for the same seed, whatever else is offered', () => {
    const chosen = seeds.map(seed => chooseHook(hooks, lesson, seed));
    expect(seeds.map(seed => chooseHook(hooks, lesson, seed))).toEqual(chosen);
    const turned = seeds.map(seed => chooseHook(hooks.toReversed(), lesson, seed));
    expect(turned).toEqual(chosen);
  });

  it('mostly takes the form that did best, and still tries one without numbers', () => {
    const chosen = seeds.map(seed => chooseHook(hooks, lesson, seed).value);
    expect(shareOf(chosen, hooks[1]!)).toBeGreaterThan(0.8);
    expect(shareOf(chosen, hooks[2]!)).toBeGreaterThan(0.02);
    expect(shareOf(chosen, hooks[0]!)).toBe(0);
  });

  it('counts a hook that was posted by its own numbers, not by those of its form', () => {
    const chosen = seeds.map(seed => chooseHook([hooks[0]!, 'Sleep is no prize'], lesson, seed));
    expect(
      shareOf(
        chosen.map(({ value }) => value),
        hooks[0]!,
      ),
    ).toBe(1);
    expect(chosen[0]!.known).toMatchObject({ about: 'hook', decks: 40 });
  });

  it('takes the first of hooks of one form, for no reason', () => {
    const alike = ['One day off', 'Two days off'].map(text => `${text} again`);
    expect(chooseHook(alike, lesson, 'content_1')).toEqual({ value: alike[0], known: null });
  });
});

describe('chooseArchetype', () => {
  it('is the usual one without a lesson', () => {
    expect(chooseArchetype(['authority'], undefined, 'content_1')).toEqual({
      value: 'authority',
      known: null,
    });
  });

  it('leaves one that did badly', () => {
    const chosen = seeds.map(seed => chooseArchetype(archetypes, lesson, seed).value);
    expect(shareOf(chosen, 'authority')).toBeLessThan(0.02);
    expect(new Set(chosen).size).toBeGreaterThanOrEqual(4);
  });

  it('chooses between the usual structure and those with numbers, and no other', () => {
    const chosen = seeds.map(seed => chooseArchetype(['listicle'], lesson, seed).value);
    expect(new Set(chosen)).toEqual(new Set(['listicle', 'authority']));
  });
});

it.each([
  [
    { about: 'question', decks: 7, mean: 0.47, sd: 0.3 },
    "Hooks that ask a question got about 1.6 times the views of this app's other posts (7 posts).",
  ],
  [
    { about: 'listicle', decks: 1, mean: -0.2, sd: 0.6 },
    'A try: 1 post does not settle yet what lists bring.',
  ],
  [{ about: 'long', decks: 0, mean: 0, sd: 0.7 }, 'A try: there are no numbers yet for long hooks.'],
  [
    { about: 'hook', decks: 2, mean: 0.7, sd: 0.5 },
    "This hook got about 2 times the views of this app's other posts (2 posts).",
  ],
  [{ about: 'hook', decks: 2, mean: -0.7, sd: 0.5 }, 'This hook is tried again: 2 posts do not settle it.'],
] as const)('%j is explained', (known, line) => {
  expect(explainChoice(known)).toBe(line);
});
