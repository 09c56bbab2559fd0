import { nothingNew, type SlideshowResult } from '@hookline/shared/contracts/content';
import { dayMs } from '@hookline/shared/kernel';
import { composer, linesOf } from '@hookline/writer';
import { describe, expect, it } from 'vitest';
import { freshnessOf, refuseRepeat, toldOf } from './freshness.ts';
import type { DeckBefore } from './record.ts';

const now = new Date('2026-03-01T09:00:00Z');
const textsOf = ([hook, ...slides]: string[], language = 'en') => ({
  result: { hook: hook!, bodySlides: slides.map(text => ({ text })) } as SlideshowResult,
  language,
});
const deck = (id: string, lines: string[], ageDays = 1, automationId: string | null = 'auto_1') => ({
  id,
  lines,
  automationId,
  createdAt: new Date(now.getTime() - ageDays * dayMs),
  rejectReason: null,
});

const habits = ['Bad days need small habits', 'Rest days keep the streak alive', 'One question a week'];

describe('freshnessOf', () => {
  it('decks of 60 long slides do not hold up others', () => {
    const long = (id: number) =>
      Array.from({ length: 61 }, (_, slide) =>
        Array.from({ length: 70 }, (_, word) => `w${(id * 7 + slide * 31 + word * 97) % 9973}ing`).join(' '),
      );
    const earlier = Array.from({ length: 100 }, (_, id) => deck(`c${id}`, linesOf(textsOf(long(id)).result)));
    freshnessOf(textsOf(long(1_000)), earlier);
    const startedMs = performance.now();
    expect(freshnessOf(textsOf(long(1_001)), earlier)).not.toBeNull();
    expect(performance.now() - startedMs).toBeLessThan(1_500);
  });

  it('a text of two lines is one text, whatever was compared before', () => {
    const apart = [
      'Bad days need small habits',
      'Rest days keep the streak alive',
      'Cook rice and answer short letters',
    ];
    const joined = [apart[0]!, `${apart[1]}\n${apart[2]}`];
    expect(freshnessOf(textsOf(apart), [deck('c1', apart)])?.overlap).toBe(1);
    expect(freshnessOf(textsOf(joined), [deck('c1', apart)])?.overlap).toBe(0.5);
  });

  it.each<[string, string[], string[], number]>([
    ['the same lines', habits, habits, 1],
    ['none in common', habits, ['Your spare room', 'Fold the laundry during the news'], 0],
    [
      'other order, case, marks and endings',
      ['A small habit needs bad days!', 'Alive: keeping streaks, resting days'],
      habits,
      1,
    ],
    [
      'one of three',
      ['Bad days need small habits', 'Cook rice for three days', 'Answer short letters'],
      habits,
      0.33,
    ],
    [
      'short words alone',
      ['Do it now', 'This is it', 'Water the plants'],
      ['Do it now', 'This is it', 'Feed the cat'],
      0,
    ],
  ])('%s: %j beside %j is %f', (_, lines, earlier, overlap) => {
    expect(freshnessOf(textsOf(lines), [deck('c1', earlier)])).toEqual({ nearestContentId: 'c1', overlap });
  });

  it.each([
    ['de', 'Die Pläne für jeden Tag teilen', 'Jeden Tag einen Plan teilen'],
    ['es', 'Comparte tus listas con la familia', 'Una lista compartida con tu familia'],
    ['ja', '寝る前に三つだけ書く', '三つだけ寝る前に書く'],
  ])('%s: %j beside %j is 1', (language, line, earlier) => {
    expect(freshnessOf(textsOf([line], language), [deck('c1', [earlier])])?.overlap).toBe(1);
  });

  it('names the deck with most in common, of several the newest, and none where there is none', () => {
    const decks = [deck('c3', ['Nothing alike']), deck('c2', habits), deck('c1', habits)];
    expect(freshnessOf(textsOf(habits), decks)?.nearestContentId).toBe('c2');
    expect(freshnessOf(textsOf(habits), [])).toBeNull();
  });
});

describe('refuseRepeat', () => {
  const own = { automationId: 'auto_1', now };
  it('refuses for good a deck that has more than half of one of its automation', () => {
    const lines = [...habits.slice(0, 2), 'Fold the laundry during the news'];
    expect(refuseRepeat(textsOf(lines), [deck('c1', habits)], own)).toEqual({
      status: 'failed',
      errorCode: nothingNew,
      errorMessage: expect.stringContaining('67 % of the slideshow is in c1'),
      mayPass: false,
    });
  });

  it.each<[string, DeckBefore]>([
    ['another automation', deck('c1', habits, 1, 'auto_2')],
    ['a request', deck('c1', habits, 1, null)],
    ['61 days ago', deck('c1', habits, 61)],
  ])('lets through what repeats a deck of %s', (_, before) => {
    expect(refuseRepeat(textsOf(habits), [before], own)).toBeNull();
  });

  it('lets through half of an earlier deck', () => {
    const lines = [...habits.slice(0, 2), 'Fold the laundry during the news', 'Cook rice for three days'];
    expect(refuseRepeat(textsOf(lines), [deck('c1', habits)], own)).toBeNull();
  });
});

const listing = (lines: number) => ({
  name: 'Pebblo',
  description: [
    'Big goals fall apart on busy days.',
    ...Array.from(
      { length: lines },
      (_, i) => `- ${things[i % things.length]} ${kinds[Math.floor(i / things.length)]}`,
    ),
  ].join('\n'),
  category: null,
  country: 'us',
  store: 'apple' as const,
});
const things = ['Reminders', 'Statistics', 'Exports', 'Widgets', 'Streaks', 'Journals', 'Charts', 'Friends'];
const kinds = ['before breakfast time', 'without an account', 'in twelve languages', 'on a shared calendar'];

describe('30 firings of one automation with the built-in writer', () => {
  it.each([
    [6, 1],
    [16, 8],
    [32, 30],
  ])(
    'a listing of %i lines gives at least %i decks, and none shares more than half with another',
    async (lines, atLeast) => {
      let before: DeckBefore[] = [];
      for (let firing = 0; firing < 30; firing += 1) {
        const at = new Date(now.getTime() + firing * dayMs);
        const request = { seed: `content_${firing}`, app: listing(lines), brief: {}, before: toldOf(before) };
        const texts = await composer.write(request);
        expect(await composer.write(request)).toEqual(texts);
        const nearest = freshnessOf(texts, before);
        const refused = refuseRepeat(texts, before, { automationId: 'auto_1', now: at });
        expect(refused !== null).toBe((nearest?.overlap ?? 0) > 0.5);
        if (refused) continue;
        const made = { ...deck(`c${firing}`, linesOf(texts.result)), createdAt: at };
        before = [made, ...before];
      }
      expect(before.length).toBeGreaterThanOrEqual(atLeast);
    },
  );
});
