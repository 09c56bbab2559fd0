import { expect, it } from 'vitest';
import type { App } from '../types.ts';
import { currentText } from './unreviewed.ts';

it('says what an item of an app is now, also when it was cleared', () => {
  const brand = {
    colors: ['#102a43', '#ffd166'],
    logoImageId: null,
    handle: '@pebblo',
    fonts: null,
    voice: null,
    avoidWords: [],
  };
  const app = { name: 'Pebblo', details: 'Stones.', brand } as unknown as App;
  const items = [
    'name',
    'listing',
    'brand.colors',
    'brand.handle',
    'brand.voice',
    'brand.avoidWords',
  ] as const;
  expect(items.map(item => currentText(app, item))).toEqual([
    'Pebblo',
    'Stones.',
    '#102a43, #ffd166',
    '@pebblo',
    '',
    '',
  ]);
  expect(currentText({ ...app, brand: null }, 'brand.handle')).toBe('');
});
