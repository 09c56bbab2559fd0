import { expect, it } from 'vitest';
import { findAvoidedWord } from './avoided-words.ts';

const result = {
  hook: 'Cheap tricks for rainy weeks',
  hookOptions: ['Cheap tricks for rainy weeks'],
  bodySlides: [{ text: 'A category of its own.' }, { text: 'Straße, C++ and more: a low-cost a/b test' }],
  ctaSoft: 'Try Pebblo',
  ctaHard: 'Get Pebblo',
  caption: 'Small wins.',
  hashtags: ['#smallwins'],
};

it.each([
  [['cheap'], false, 'cheap'],
  [['cheap'], true, null],
  [['cat', 'small win'], false, null],
  [['STRASSE', 'straße'], false, 'straße'],
  [['c++'], false, 'c++'],
  [['game-changer', 'low-cost'], false, 'low-cost'],
  [['a/b'], false, 'a/b'],
  [[String.raw`^$.*?()[]{}|\/-`], false, null],
  [['smallwins'], false, 'smallwins'],
  [[], false, null],
])('finds of %j, with the hook given: %s, %s', (words, isHookGiven, found) => {
  expect(findAvoidedWord(result, words, isHookGiven)).toBe(found);
});
