import { expect, it } from 'vitest';
import { type Brand, brandChanges, brandDraftOf } from './brand.ts';

const brand: Brand = {
  colors: ['#102a43', '#ffd166'],
  logoImageId: 'picture_1',
  handle: '@pebblo.app',
  fonts: 'manrope',
  voice: null,
  avoidWords: ['cheap', 'hack'],
};
const before = brandDraftOf(brand);

it('an edit sends only what it changes', () => {
  expect(brandChanges(before, { ...before, handle: ' @pebblo ' })).toEqual({ handle: '@pebblo' });
  expect(brandChanges(before, { ...before, avoidWords: 'cheap\n\n hack \nnever' })).toEqual({
    avoidWords: ['cheap', 'hack', 'never'],
  });
});

it('what is emptied is cleared', () => {
  const emptied = { ...before, hasColors: false, handle: '', fonts: '' as const, avoidWords: ' \n' };
  expect(brandChanges(before, emptied)).toEqual({
    colors: null,
    handle: null,
    fonts: null,
    avoidWords: null,
  });
});

it('an edit that changes nothing sends nothing', () => {
  expect(brandChanges(before, { ...before, avoidWords: 'cheap\nhack\n' })).toBeNull();
  expect(brandChanges(brandDraftOf(null), brandDraftOf(null))).toBeNull();
});
