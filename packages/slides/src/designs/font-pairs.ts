import type { Face } from '../layout/fonts.ts';

const face = (name: string, weight: number): Face => ({ package: `@fontsource/${name}`, weight });

/** The typefaces that a brand chooses from, all under the SIL Open Font License. A deck has one weight of one. */
export const fontPairs = {
  'bricolage-inter': face('bricolage-grotesque', 800),
  'anton-jakarta': face('anton', 400),
  'fraunces-newsreader': face('fraunces', 700),
  manrope: face('manrope', 800),
  'space-grotesk-inter': face('space-grotesk', 700),
} as const satisfies Record<string, Face>;

export type FontPair = keyof typeof fontPairs;
