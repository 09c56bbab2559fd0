import { expect, it } from 'vitest';
import { typed } from './api.ts';

it.each([
  ['true', true],
  ['null', null],
  ['0', 0],
  ['-12.50', -12.5],
  ['999999999999999', 999_999_999_999_999],
  ['9007199254740993', '9007199254740993'],
  ['007', '007'],
  ['-', '-'],
  ['1e3', '1e3'],
  ['text', 'text'],
])('a typed field of %s is %j', (text, expected) => expect(typed(text)).toBe(expected));
