import type { Slide } from '@hookline/deck';
import type { FontPair } from './designs/font-pairs.ts';
import type { DrawnTemplate } from './templates/templates.ts';

export type DeckToRender = {
  slides: readonly Slide[];
  /** Owners share the drawing: decks of one do not hold up those of another. */
  owner?: string | undefined;
  /** The app's id: the same seed gives the same look, so all decks of an app share theirs. */
  seed: string;
  /** BCP 47, `en` when unknown. */
  language?: string | undefined;
  /** The app's colour as an OKLCH hue in degrees; null or missing when its icon has none. */
  brandHue?: number | null | undefined;
  /** Default `quote-card`. */
  template?: DrawnTemplate | undefined;
  /**
   * JPEG or PNG as `readPicture` makes them, in the order in which slides show them;
   * at least one where needed.
   */
  pictures?: readonly Uint8Array[] | undefined;
  /** Without it, no slide has a picture by choice. */
  chosen?: ChosenFiles | undefined;
  brand?: DeckBrand | undefined;
  /** What the closing slide names. */
  app?: { name: string; store?: string | undefined } | undefined;
  /**
   * Called once the deck has its slot and its texts fit: the files instead of `pictures` and `brand.logo`.
   */
  readFiles?: (() => Promise<DeckFiles>) | undefined;
};

/** The pictures and the logo of a deck, as `readPicture` makes them; null: it has no logo. */
export type DeckFiles = { pictures: readonly Uint8Array[]; logo: Uint8Array | null; chosen?: ChosenFiles };

/** `bySlide` has the place in `pictures` of what a slide shows by choice; the others share the first `others`. */
export type ChosenFiles = { bySlide: readonly (number | null)[]; others: number };

export type DeckBrand = {
  /** Background and accent, `#rrggbb`, with a contrast of at least 4.5. */
  colors?: readonly [string, string] | undefined;
  fonts?: FontPair | undefined;
  handle?: string | undefined;
  /** Its logo, else the icon of the app: on the closing slide, as `readPicture` makes it. */
  logo?: Uint8Array | undefined;
  /** True if `readFiles` returns a logo: its place is kept free. */
  hasLogo?: boolean | undefined;
};
