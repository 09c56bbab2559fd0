import { expect, it } from 'vitest';
import type { Content } from '../types.ts';
import { changesBetween, slideTexts } from './deck.ts';
import { draftOf, editOf } from './edit-draft.ts';

const content = (
  result: Partial<NonNullable<Content['result']>> = {},
  ctaMode?: 'soft' | 'direct' | 'none',
) =>
  ({
    version: 1,
    brief: ctaMode ? { ctaMode } : null,
    result: {
      hook: 'Two things',
      hookOptions: [],
      bodySlides: [{ text: 'one' }, { text: 'two' }],
      ctaSoft: 'softly',
      ctaHard: 'now',
      caption: 'cap',
      hashtags: ['#a', '#b'],
      ...result,
    },
  }) as unknown as Content;

it.each([
  [undefined, 'softly'],
  ['soft', 'softly'],
  ['direct', 'now'],
  ['none', undefined],
] as const)('with ctaMode %s the closing slide is %s', (ctaMode, closing) => {
  const body = ['Two things', 'one', 'two'];
  expect(slideTexts(content({}, ctaMode))).toEqual(closing ? [...body, closing] : body);
});

it('names every difference between two versions in the order of the slides', () => {
  const after = content({ hook: 'Three', bodySlides: [{ text: 'one' }], hashtags: ['#a'] });
  expect(changesBetween(content(), after)).toEqual([
    { field: 'hook', slide: 1, before: 'Two things', after: 'Three' },
    { field: 'slide', slide: 3, before: 'two', after: null },
    { field: 'hashtags', slide: null, before: '#a #b', after: '#a' },
  ]);
  expect(changesBetween(content(), content())).toEqual([]);
});

it('edits only what was changed, and writes missing # of hashtags', () => {
  const begun = content({}, 'direct');
  const draft = draftOf(begun);
  expect(editOf(begun, draft)).toBeNull();
  expect(editOf(begun, { ...draft, closing: 'later', hashtags: 'x, ##y  #z' })).toEqual({
    ctaHard: 'later',
    hashtags: ['#x', '#y', '#z'],
  });
  expect(editOf(begun, { ...draft, slides: ['one'] })).toEqual({ bodySlides: [{ text: 'one' }] });
});
