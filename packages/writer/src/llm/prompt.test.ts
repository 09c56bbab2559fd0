import { planDeck } from '@hookline/deck';
import { expect, it } from 'vitest';
import { extractMaterial, type MaterialSource } from '../listing/material.ts';
import { firstMessages } from './prompt.ts';

const app: MaterialSource = {
  name: 'Pebblo',
  description:
    'Small habits that last. Trusted by 500,000 families e.g. ours.\n- Rest days do not break the streak\n- 4,8 Sterne im Store',
  category: null,
  country: 'us',
  store: 'apple',
};

function questionOf(before?: Parameters<typeof firstMessages>[0]['before'], country = 'us') {
  const messages = firstMessages({
    app: { ...app, country },
    material: extractMaterial(app),
    brief: {},
    archetype: 'authority',
    wanted: { plan: planDeck({}), hasHook: false, isCounted: false, appName: 'Pebblo' },
    before,
  });
  return JSON.parse(messages.at(-1)!.content) as {
    listing: { notToBeSaid: string[]; country?: string };
    before?: object;
  };
}

it('the question names the claims of the listing, as the reader of listings finds them', () => {
  expect(questionOf().listing.notToBeSaid).toEqual([
    'Trusted by 500,000 families e.g. ours.',
    '- 4,8 Sterne im Store',
  ]);
});

it('the question names the country of the listing, but not the one that imports begin with', () => {
  expect(questionOf(undefined, 'gb').listing.country).toBe('gb');
  expect(questionOf().listing).not.toHaveProperty('country');
});

it('the question has the last 30 hooks and the reasons of rejections, and nothing of the slides', () => {
  const decks = Array.from({ length: 40 }, (_, i) => ({ id: `c${i}`, lines: [`Hook ${i}`, 'A slide'] }));
  expect(questionOf({ decks, rejected: ['too loud'] }).before).toEqual({
    hooks: Array.from({ length: 30 }, (_, i) => `Hook ${i}`),
    rejected: ['too loud'],
  });
  expect(questionOf({ decks: [], rejected: [] })).not.toHaveProperty('before');
});
