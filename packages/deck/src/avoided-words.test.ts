import { expect, it } from 'vitest';
import { compileAvoidedWords } from './avoided-words.ts';

it.each([
  ['無料', '完全無料で使える', true],
  ['免费', '这款应用免费使用', true],
  ['ฟรี', 'ใช้งานฟรีตลอดไป', true],
  ['무료', '무료로 써 보세요', true],
  ['차', '자동차를 고르는 법', false],
  ["can't", 'You can’t miss it', true],
  ['don’t', "don't stop", true],
  ['cat', 'A category of its own', false],
  ['free', 'so (free) now', true],
  ['caf\u00e9', 'a cafe\u0301 nearby', true],
  ['cafe\u0301', 'a caf\u00e9 nearby', true],
])('"%s" is in "%s": %s', (word, text, isThere) => {
  expect(compileAvoidedWords(['unused', word]).test(text)).toBe(isThere);
});
