import { expect, it } from 'vitest';
import { fieldOf, withoutKey } from './endpoint.rules.ts';

it.each([
  ['provider', {}],
  ['baseUrl', { baseUrl: 'http://127.0.0.1:11434/v1' }],
])('a model that cannot be reached is a fault of the %s where the caller gave %j', (field, given) => {
  expect(fieldOf({ status: 0, words: 'the connection failed (ECONNREFUSED)' }, given)).toBe(field);
});

it.each(['😀'.repeat(400), `a${'😀'.repeat(400)}`, 'cut \ud83d'])(
  'words can be stored wherever they are cut: %#',
  words => expect(withoutKey(words, undefined).isWellFormed()).toBe(true),
);
