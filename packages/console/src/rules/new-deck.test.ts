import { expect, it } from 'vitest';
import { blankDraft, briefOf } from './new-deck.ts';

const typed = {
  ...blankDraft,
  topic: ' ferns ',
  hook: 'A hook',
  lines: 'Cover\n\n One \nTwo',
  closing: 'Last',
};

it.each([
  ['app', { slideCount: 4, templateId: 'quote-card' }],
  ['topic', { topic: 'ferns', slideCount: 4, templateId: 'quote-card' }],
  ['hook', { hook: 'A hook', slideCount: 4, templateId: 'quote-card' }],
  [
    'texts',
    { hook: 'Cover', slides: [{ text: 'One' }, { text: 'Two' }], closing: 'Last', templateId: 'quote-card' },
  ],
] as const)('a brief about the %s has only what belongs to it', (about, brief) => {
  expect(briefOf({ ...typed, about, slideCount: '4' }, 'quote-card')).toEqual(brief);
});

it('a deck of own pictures has their order, and no template that draws', () => {
  const pictures = ['picture_2', 'picture_1'].map(id => ({ id, url: '' }));
  const draft = { ...typed, about: 'pictures', pictures, slideCount: '4' } as const;
  expect(briefOf(draft, 'quote-card')).toEqual({
    templateId: 'picture',
    hook: 'A hook',
    pictureIds: ['picture_2', 'picture_1'],
  });
});

it('what is left empty is not in the brief', () => {
  expect(briefOf(blankDraft, '')).toEqual({});
  expect(briefOf({ ...blankDraft, about: 'texts', lines: 'Cover\nOne' }, '')).toEqual({
    hook: 'Cover',
    slides: [{ text: 'One' }],
  });
});
