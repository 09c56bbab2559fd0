import { expect, it } from 'vitest';
import { createPositionCursor } from './position-cursor.ts';

const cursor = createPositionCursor('feed', 'feed');
const rows = (...positions: number[]) => positions.map(position => ({ position }));

it.each([
  [{}, { after: 0 }],
  [{ after: cursor.encode(4) }, { after: 4 }],
  [{ order: 'newest' }, { before: 10 ** 15 }],
  [{ order: 'newest', before: cursor.encode(4) }, { before: 4 }],
] as const)('%j starts at %j', (query, start) => {
  expect(cursor.start(query)).toEqual(start);
});

it.each([
  [{ after: 'x' }, 'after must be a nextCursor'],
  [{ order: 'newest', before: 'x' }, 'before must be a previousCursor'],
  [{ order: 'newest', after: cursor.encode(4) }, 'after must be left out'],
  [{ before: cursor.encode(4) }, 'before must be left out'],
] as const)('%j is refused: %s', (query, message) => {
  expect(() => cursor.start(query)).toThrow(message);
});

it.each([
  ['more than a page', rows(9, 8, 7), 2, 10 ** 15, [9, 8]],
  ['a last page', rows(9, 8), 2, 10 ** 15, [9, null]],
  ['an empty log', [], 2, 10 ** 15, [0, null]],
  ['nothing before a row', [], 2, 1, [0, null]],
] as const)('%s', (_, found, limit, before, [next, previous]) => {
  expect(cursor.newestPage(found, limit, before)).toMatchObject({
    nextCursor: cursor.encode(next),
    previousCursor: previous && cursor.encode(previous),
  });
});
