import { seedRandom } from '@hookline/deck';
import type { DeckBrand } from '../deck-to-render.ts';
import { type Design, slideHeight, slideWidth } from '../designs/design.ts';
import { fontPairs } from '../designs/font-pairs.ts';
import type { Ink } from '../designs/ink.ts';
import { inkOn } from '../designs/palette.ts';

const white = '#ffffff';
const black = '#000000';

/**
 * Type over a picture that stays as it is: white with a black outline, or in boxes. An app has one of both,
 * and boxes where its brand has colours.
 */
export function photoCard(seed: string, brand?: DeckBrand): Design {
  const { colors, fonts } = brand ?? {};
  const isBoxed = colors !== undefined || seedRandom(seed, 'photo').pick([true, false]);
  const headBox = colors?.[0] ?? white;
  const head: Ink = isBoxed ? { color: inkOn(headBox), box: headBox } : { color: white, stroke: black };
  // A paragraph with an outline is hard to read.
  const rest: Ink = { color: black, box: white };
  return {
    name: 'photo-card',
    face: fonts ? fontPairs[fonts] : { package: '@fontsource/inter', weight: 800 },
    align: 'center',
    hookSize: 112,
    lineHeight: isBoxed ? 1.36 : 1.16,
    ink: role => (role === 'small' ? rest : role === 'large' && isBoxed ? rest : head),
    isPlain: true,
    paintBackground: ctx => ctx.clearRect(0, 0, slideWidth, slideHeight),
  };
}
