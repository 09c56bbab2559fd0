import { seedRandom } from '@hookline/deck';
import type { DeckBrand } from '../deck-to-render.ts';
import { type Design, slideHeight, slideWidth } from '../designs/design.ts';
import { fontPairs } from '../designs/font-pairs.ts';
import type { Ink } from '../designs/ink.ts';
import { inkOn } from '../designs/palette.ts';

const white = '#ffffff';
const black = '#000000';

/** Type in boxes over a picture that stays as it is: an outline is hard to read where a picture is bright or has text. */
export function photoCard(seed: string, brand?: DeckBrand): Design {
  const { colors, fonts } = brand ?? {};
  const headBox = colors?.[0] ?? seedRandom(seed, 'photo').pick([white, black]);
  const head: Ink = { color: inkOn(headBox), box: headBox };
  const rest: Ink = { color: black, box: white };
  return {
    name: 'photo-card',
    face: fonts ? fontPairs[fonts] : { package: '@fontsource/inter', weight: 800 },
    align: 'center',
    hookSize: 100,
    lineHeight: 1.36,
    ink: role => (role === 'small' || role === 'large' ? rest : head),
    isPlain: true,
    paintBackground: ctx => ctx.clearRect(0, 0, slideWidth, slideHeight),
  };
}
