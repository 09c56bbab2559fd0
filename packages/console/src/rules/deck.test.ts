import { expect, it } from 'vitest';
import type { Content } from '../types.ts';
import { changesBetween, slideTexts } from './deck.ts';
import { draftOf, editOf, moved } from './edit-draft.ts';

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
  expect(editOf(begun, { ...draft, slides: [{ text: 'one' }] })).toEqual({ bodySlides: [{ text: 'one' }] });
});

it('an edit has the pictures, positions, order and template that were chosen', () => {
  const look = { pictureId: 'picture_1', position: 'top' } as const;
  const begun = { ...content({ coverLook: look }), templateId: 'quote-card' } as Content;
  const draft = draftOf(begun);
  const [first, second] = draft.slides;
  const slides = moved([{ ...first!, ...look }, second!], 0, 1);
  expect(editOf(begun, { ...draft, slides, coverLook: {}, templateId: 'photo-card' })).toEqual({
    bodySlides: [{ text: 'two' }, { text: 'one', ...look }],
    coverLook: {},
    templateId: 'photo-card',
  });
  expect(editOf(begun, { ...draft, coverLook: { ...look } })).toBeNull();
});

it('names the slide whose picture or position changed, and the template', () => {
  const before = { ...content(), templateId: 'quote-card' } as Content;
  const bodySlides = [{ text: 'one' }, { text: 'two', position: 'top' as const }];
  const after = { ...content({ bodySlides }), templateId: 'photo-card' } as Content;
  expect(changesBetween(before, after).map(({ field, slide }) => [field, slide])).toEqual([
    ['template', null],
    ['look', 3],
  ]);
});
