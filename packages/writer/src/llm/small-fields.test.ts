import { expect, it } from 'vitest';
import { extractMaterial } from '../listing/material.ts';
import { languageOf, softLineOf } from './small-fields.ts';

it('closes with a line of the listing without its label', () => {
  const description =
    'Beds on paper.\n\n• PLANNER: To scale on the iPad, handy on the phone\n• Rows for beginners';
  const app = { name: 'Bedmate', description, category: null, country: 'us', store: 'apple' as const };
  expect(softLineOf(extractMaterial(app))).toEqual([
    'Bedmate: To scale on the iPad, handy on the phone',
    'Bedmate: Rows for beginners',
  ]);
});

it.each([
  ['pt-BR', 'pt-BR'],
  ['zh-hant-tw', 'zh-hant-tw'],
  ['es-419', 'es-419'],
  ['en-12', 'en'],
  ['de-de-de', 'en'],
])('takes %s of a model for %s: every language can be drawn', (language, taken) => {
  const app = {
    name: 'Bedmate',
    description: 'Beds on paper.',
    category: null,
    country: 'us',
    store: 'apple' as const,
  };
  expect(languageOf({ language, slides: [] }, extractMaterial(app))).toBe(taken);
});
