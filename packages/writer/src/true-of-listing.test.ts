import { describe, expect, it } from 'vitest';
import { isTrueOf } from './true-of-listing.ts';

const plants =
  'sprigly: get a watering schedule for houseplants, with a light meter and a note for the sitter';

describe('isTrueOf', () => {
  it.each([
    ['{app} was made for ordinary days.', true],
    ['{app} looks at the light first.', true],
    ['{app} works where there is no signal.', false],
    ['{app} brings the hard ones back first.', false],
    ['{app} packs nothing you do not need.', false],
    ['{app} remembers who owes you.', false],
    ['Scan one letter with {app}.', false],
    ['Try {app} for one week.', true],
    ['Leave a note for the sitter in {app}.', true],
  ])('%s of a plant app: %s', (line, expected) => {
    expect(isTrueOf(line, plants, 'en')).toBe(expected);
  });

  it('says nothing about what an app does of which nothing is known', () => {
    expect(isTrueOf('{app} keeps the list for you.', 'zed', 'en')).toBe(false);
    expect(isTrueOf('{app} merkt sich die Liste.', 'zed', 'de')).toBe(false);
    expect(isTrueOf('Prueba {app} una semana.', 'zed', 'es')).toBe(true);
  });
});
