import { expect, it } from 'vitest';
import { withChosenHook } from './edit.ts';

it.each([
  ['another of the options', ['a', 'b', 'c'], 'c', ['c', 'a', 'b']],
  ['the same', ['a', 'b', 'c'], 'a', ['a', 'b', 'c']],
  ['a new one', ['a', 'b', 'c'], 'd', ['d', 'a', 'b', 'c']],
  ['a new one where there are five', ['a', 'b', 'c', 'd', 'e'], 'f', ['f', 'a', 'b', 'c', 'd']],
  ['a new one for a given one', ['a'], 'b', ['b']],
])('the chosen hook stands first: %s', (_, options, hook, wanted) => {
  expect(withChosenHook(options, hook)).toEqual(wanted);
});
