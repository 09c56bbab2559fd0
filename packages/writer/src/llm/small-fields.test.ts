import { expect, it } from 'vitest';
import { extractMaterial } from '../listing/material.ts';
import { languageOf } from './small-fields.ts';

it.each([
  ['pt-BR', 'pt-BR'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['EN', 'en'],
  ['eng', 'en'],
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
