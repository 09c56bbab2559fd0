import { expect, it } from 'vitest';
import { defaultPictures } from './choose.ts';
import type { PictureRow } from './record.ts';

/** `u…`: uploads; others: screenshots by their address. */
const pictures = (ids: string) =>
  ids
    .split(' ')
    .map(id =>
      id.startsWith('u')
        ? { id, kind: 'upload', sourceUrl: null }
        : { id, kind: 'screenshot', sourceUrl: id },
    ) as PictureRow[];

it.each([
  ['screenshots in the order of the page', 'c a u1 b', 'screenshot', 'a b c'],
  ['none that the page no longer has', 'old c a', 'screenshot', 'a c'],
  ['those while the page has no other', 'old1 old2', 'screenshot', 'old1 old2'],
  ['uploads first on a photo-card', 'b u2 u1 a', 'upload', 'u2 u1'],
  ['screenshots where there is no upload', 'b old a', 'upload', 'a b'],
  ['uploads where there is no screenshot', 'u2 u1', 'screenshot', 'u2 u1'],
] as const)('shows %s', (_, given, first, shown) => {
  const ids = defaultPictures(pictures(given), ['a', 'b', 'c'], first).map(({ id }) => id);
  expect(ids.join(' ')).toBe(shown);
});
