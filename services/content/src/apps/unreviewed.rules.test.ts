import { describe, expect, it } from 'vitest';
import type { Change, PictureRow } from '../pictures/record.ts';
import type { Brand } from './record.ts';
import { shownOf, unreviewedBeside, unreviewedOf } from './unreviewed.rules.ts';

const change: Change = {
  by: { kind: 'key', id: 'key_1', name: 'agent' },
  authorId: 'user_1',
  at: '2026-11-21T09:00:00.000Z',
};
const brand: Brand = {
  colors: ['#000000', '#ffffff'],
  logoImageId: 'picture_logo',
  handle: '@pebblo',
  fonts: null,
  voice: null,
  avoidWords: null,
};
const drawn = ['brand.colors', 'brand.fonts', 'brand.handle', 'brand.logoImageId'] as const;
const all = [...drawn, 'name', 'listing', 'brand.voice', 'brand.avoidWords'] as const;
const signed = { isSigned: true, hasLogo: true };
const unsigned = { isSigned: false, hasLogo: true };
const card = { templateId: 'quote-card' } as const;

/** The items whose marks an approval ends. */
function endedBy(
  ...[brief, slides, of = brand]: [Parameters<typeof shownOf>[1], typeof signed, (Brand | null)?]
) {
  const unreviewed = drawn.map(item => ({ item, ...change }));
  const shown = shownOf({ brand: of }, brief, [], slides);
  const app = { name: 'Pebblo', listing: {} as never, brand: of, unreviewed };
  const left = unreviewedBeside(app, { result: null, brief, shown }).map(({ item }) => item);
  return drawn.filter(item => !left.includes(item));
}

describe('an approval ends the mark of what the slides show', () => {
  it.each([
    ['a deck with a signature', card, signed, brand, drawn],
    ['one whose closing slide has no room for it', card, unsigned, brand, ['brand.colors', 'brand.fonts']],
    [
      'one without a closing slide',
      { ...card, ctaMode: 'none' },
      unsigned,
      brand,
      ['brand.colors', 'brand.fonts'],
    ],
    [
      'one whose logo is gone',
      card,
      { ...signed, hasLogo: false },
      brand,
      ['brand.colors', 'brand.fonts', 'brand.handle'],
    ],
    [
      'a photo-card, which has one of the colours',
      { templateId: 'photo-card' },
      signed,
      brand,
      drawn.slice(1),
    ],
    ['one after the brand was cleared', card, unsigned, null, drawn],
  ] as const)('%s', (_, brief, slides, of, expected) => {
    expect(endedBy(brief, slides, of)).toEqual(expected);
  });
});

describe('an automation approves nothing that was made from an unreviewed', () => {
  const app = { unreviewed: all.map(item => ({ item, ...change })) } as never;
  const model = { kind: 'model', name: 'm', repaired: false, because: null } as const;
  const builtin = { ...model, kind: 'builtin' } as const;
  const texts = ['name', 'listing', 'brand.avoidWords'];

  it.each([
    ['field, in a deck of a text model', card, model, all],
    [
      'field but the voice, in one of the composer',
      card,
      builtin,
      all.filter(item => item !== 'brand.voice'),
    ],
    ['text, in one without slides', {}, builtin, texts],
    [
      'field but handle and logo, without a closing slide',
      { ...card, ctaMode: 'none' },
      builtin,
      ['brand.colors', 'brand.fonts', ...texts],
    ],
  ] as const)('%s', (_, brief, writer, expected) => {
    const used = unreviewedOf(app, brief, writer, []).map(({ item }) => item);
    expect(used.toSorted()).toEqual([...expected].toSorted());
  });

  it('picture that its slides show', () => {
    const picture = (unreviewed: Change | null) => ({ unreviewed }) as PictureRow;
    const none = { unreviewed: [] } as never;
    expect(unreviewedOf(none, card, builtin, [picture(null), picture(change)])).toEqual([
      { item: 'picture', authorId: 'user_1' },
    ]);
  });
});
