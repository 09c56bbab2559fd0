import { describe, expect, it } from 'vitest';
import { readByteRange } from './byte-range.rules.ts';

describe('readByteRange', () => {
  it.each([
    [undefined, 'whole'],
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=2-4', { first: 2, last: 4 }],
    ['Bytes=2-', { first: 2, last: 9 }],
    ['bytes=2-999', { first: 2, last: 9 }],
    ['bytes=-3', { first: 7, last: 9 }],
    ['bytes=-30', { first: 0, last: 9 }],
    ['bytes=-0', 'none'],
    ['bytes=10-', 'none'],
    ['bytes=10-12', 'none'],
    ['bytes=4-2', 'whole'],
    ['bytes=0-1,3-4', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=a-b', 'whole'],
    ['bytes=9999999999999999-', 'whole'],
    ['lines=0-1', 'whole'],
    ['', 'whole'],
  ] as const)('reads %j of 10 bytes', (header, expected) => {
    expect(readByteRange(header, 10)).toEqual(expected);
  });
});
