import { expect, it } from 'vitest';
import { sameBytes } from './same-bytes.ts';

it.each([
  ['abc', 'abc', true],
  ['abc', 'abd', false],
  ['ab', 'abc', false],
  ['', 'abc', false],
])('compares %j with %j', (given, expected, isSame) => {
  expect(sameBytes(Buffer.from(given), Buffer.from(expected))).toBe(isSame);
});
