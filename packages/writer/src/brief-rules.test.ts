import { type DeckToCheck, findBrokenBriefRules } from '@hookline/deck';
import { archetypes, type Brief, ctaModes } from '@hookline/shared/contracts/brief';
import { describe, expect, it } from 'vitest';
import listings from '../eval/listings/sample.json' with { type: 'json' };
import { composeDeck } from './composer.ts';
import type { MaterialSource } from './listing/material.ts';
import { type EarlierDeck, linesOf } from './overlap.ts';

const deck: DeckToCheck = {
  archetype: 'listicle',
  ctaMode: 'soft',
  result: {
    hook: '4 small rules for late starts',
    hookOptions: ['4 small rules for late starts', '4 quiet habits', '4 easy swaps'],
    bodySlides: [{ text: 'one.' }, { text: 'two.' }, { text: 'three.' }, { text: 'four.' }],
    ctaSoft: 'In Pebblo you can rest.',
    ctaHard: 'Try Pebblo.',
    caption: 'A caption',
    hashtags: ['#one', '#two', '#three'],
  },
};
const { result } = deck;
const slides = (count: number) => Array.from({ length: count }, (_, i) => ({ text: `Slide ${i}.` }));
const seven = '7 habits that outlast motivation';
const withHook = (hook: string, count: number, more: Partial<DeckToCheck> = {}): DeckToCheck => ({
  ...deck,
  ...more,
  result: { ...result, hook, hookOptions: [hook], bodySlides: slides(count) },
});

describe('findBrokenBriefRules', () => {
  it.each<[string, Brief, DeckToCheck]>([
    ['the default brief', {}, deck],
    ['a given hook and its count', { hook: seven }, withHook(seven, 7)],
    [
      'a hook beyond the capacity',
      { hook: '40 ways to use a lemon' },
      withHook('40 ways to use a lemon', 33),
    ],
    [
      'a quote-card whose slideCount wins',
      { hook: seven, slideCount: 4, templateId: 'quote-card' },
      withHook(seven, 2),
    ],
    [
      'none: every slide after the hook is advice',
      { ctaMode: 'none', slideCount: 5 },
      { ...deck, ctaMode: 'none' },
    ],
  ])('finds nothing in %s', (_, brief, given) => {
    expect(findBrokenBriefRules(brief, given)).toEqual([]);
  });

  it.each<[string, Brief, DeckToCheck, RegExp]>([
    [
      'a slide too few',
      {},
      { ...deck, result: { ...result, bodySlides: slides(3) } },
      /exactly 4 items, not 3/,
    ],
    ['a slide too many', { hook: seven }, withHook(seven, 8), /exactly 7 items, not 8/],
    ['a hook that was touched', { hook: seven }, withHook(`${seven}!`, 7), /word for word/],
    [
      'another option beside a given hook',
      { hook: seven },
      { ...deck, result: { ...withHook(seven, 7).result, hookOptions: [seven, 'x'] } },
      /the only option/,
    ],
    [
      'a chosen hook that is not first',
      {},
      { ...deck, result: { ...result, hook: '4 easy swaps' } },
      /first option/,
    ],
    [
      'two hooks',
      {},
      { ...deck, result: { ...result, hookOptions: result.hookOptions.slice(0, 2) } },
      /3 to 5 different hooks/,
    ],
    [
      'hooks that repeat',
      {},
      { ...deck, result: { ...result, hookOptions: [result.hook, result.hook, '4 easy swaps'] } },
      /3 to 5 different hooks/,
    ],
    [
      'a list without its count',
      {},
      { ...deck, result: { ...result, hookOptions: [result.hook, '4 easy swaps', 'Small swaps'] } },
      /every hook must promise exactly 4/,
    ],
    [
      'another count in any deck',
      {},
      {
        ...deck,
        archetype: 'authority',
        result: { ...result, hookOptions: [result.hook, '5 easy swaps', 'Small'] },
      },
      /must promise 4, or none/,
    ],
    ['another archetype', { archetype: 'authority' }, deck, /archetype/],
    ['another closing', { ctaMode: 'direct' }, deck, /ctaMode/],
    [
      'a closing line in place of a slide',
      {},
      { ...deck, result: { ...result, bodySlides: [...slides(3), { text: result.ctaSoft }] } },
      /slide of its own/,
    ],
    [
      'a blank slide',
      {},
      { ...deck, result: { ...result, bodySlides: [...slides(3), { text: ' ' }] } },
      /blank or longer than 500/,
    ],
    ['a long caption', {}, { ...deck, result: { ...result, caption: 'x'.repeat(2201) } }, /2200/],
    ['a hashtag with a space', {}, { ...deck, result: { ...result, hashtags: ['#two words'] } }, /hashtags/],
  ])('names %s', (_, brief, given, rule) => {
    const broken = findBrokenBriefRules(brief, given);
    expect(broken).toHaveLength(1);
    expect(broken[0]).toMatch(rule);
  });

  it('lets a deck be shorter that says that its listing is too short, where the brief names no number', () => {
    const short = {
      ...deck,
      archetype: 'authority' as const,
      notice: 'listing_too_short',
      result: {
        ...result,
        hook: 'Swaps',
        hookOptions: ['Swaps', 'Easy swaps', 'Small swaps'],
        bodySlides: slides(2),
      },
    };
    expect(findBrokenBriefRules({}, short)).toEqual([]);
    expect(findBrokenBriefRules({ slideCount: 6 }, short)).toHaveLength(1);
    const { notice: _, ...silent } = short;
    expect(findBrokenBriefRules({}, silent)).toHaveLength(1);
  });

  it('finds nothing in the third deck that the composer writes about a topic', () => {
    for (const { name, description, category } of listings) {
      const app: MaterialSource = { name, description, category, country: 'us', store: 'apple' };
      const decks: EarlierDeck[] = [];
      for (const seed of ['content_1', 'content_2', 'content_3']) {
        const deck = composeDeck({ seed, app, brief: { topic: 'tea' }, before: { decks, rejected: [] } });
        expect(findBrokenBriefRules({ topic: 'tea' }, deck)).toEqual([]);
        decks.unshift({ id: seed, lines: linesOf(deck.result) });
      }
    }
  });

  it.each(['5 Habits', '料理 10選'])('finds nothing in a deck of an app that is called %s', name => {
    const description = 'Pick a day. Each habit that you keep moves the line up.';
    const app: MaterialSource = { name, description, category: 'Lifestyle', country: 'us', store: 'apple' };
    for (const archetype of archetypes) {
      const brief = { archetype };
      expect(findBrokenBriefRules(brief, composeDeck({ seed: 'content_1', app, brief }))).toEqual([]);
    }
  });

  it('finds nothing in what the composer writes', () => {
    const hooks = [
      undefined,
      seven,
      '40 ways to use a lemon',
      '1 rule for a calm week',
      'Nobody sees the rest day',
    ];
    const broken = listings.flatMap(({ name, description, category, store }) => {
      const app: MaterialSource = {
        name,
        description,
        category,
        country: 'us',
        store: store as 'apple' | 'google',
      };
      return archetypes.flatMap(archetype =>
        ctaModes.flatMap(ctaMode =>
          hooks.flatMap(hook =>
            [undefined, 2, 3, 10].flatMap(slideCount => {
              const brief: Brief = { archetype, ctaMode, hook, slideCount };
              return findBrokenBriefRules(brief, composeDeck({ seed: 'content_1', app, brief }));
            }),
          ),
        ),
      );
    });
    expect(broken).toEqual([]);
  });
});
