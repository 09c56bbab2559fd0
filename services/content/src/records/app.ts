import { compileAvoidedWords } from '@hookline/deck';
import type { fontPairNames, Unreviewed } from '@hookline/shared/contracts/apps';

type FontPair = (typeof fontPairNames)[number];

/**
 * A listing of a store, or one that was given by hand. Texts are plain: no tags, no entities. Times are ISO
 * 8601, UTC.
 */
export type StoreListing = {
  /** Null for a listing given by hand; it has no `country` and an empty `storeId`. */
  store: 'apple' | 'google' | null;
  storeId: string;
  country: string | null;
  /** Given by hand, a BCP 47 primary subtag; otherwise null or absent, and the texts show it. */
  language?: string | null;
  /** What the store's address asked for; absent in listings imported before it was kept. */
  addressLanguage?: string | null;
  name: string;
  summary: string | null;
  description: string;
  iconUrl: string | null;
  /**
   * OKLCH hue of the icon in degrees, null for a gray one; absent in listings imported before icons were
   * read.
   */
  iconHue?: number | null;
  category: string | null;
  rating: number | null;
  ratingCount: number | null;
  screenshots: string[];
  developer: string | null;
  storeUrl: string | null;
  fetchedAt: string;
};

/** Null: not set. */
export type Brand = {
  colors: [string, string] | null;
  logoImageId: string | null;
  handle: string | null;
  fonts: FontPair | null;
  voice: string[] | null;
  avoidWords: string[] | null;
};

/** A change that needs a review. `authorId`: the person, for a key the one who minted it. */
export type Change = Pick<Unreviewed, 'by' | 'at'> & { authorId: string };

export type UnreviewedField = Change & { item: Exclude<Unreviewed['item'], 'picture'> };

export type UnreviewedPicture = Change & { pictureId: string };

export type AppRow = {
  id: string;
  accountId: string;
  name: string;
  details: string;
  seedHooks: string[];
  listing: StoreListing;
  brand: Brand | null;
  unreviewed: UnreviewedField[];
  createdAt: Date;
  updatedAt: Date;
};

/** What is derived from a listing, and the listing. */
export type AppTexts = Pick<AppRow, 'details' | 'seedHooks' | 'listing'>;

export function toApp({ id, name, details, createdAt, updatedAt }: AppRow) {
  return { id, name, details, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

/**
 * Seed hooks, brand and what needs a review are returned on creation and on get, not in the list (D-47). A hook that has one of
 * the words that the brand avoids is left out here, so that a change of the words applies at once.
 */
export function toAppWithSeedHooks(row: AppRow, pictures: readonly UnreviewedPicture[]) {
  const avoided = compileAvoidedWords(row.brand?.avoidWords ?? []);
  const unreviewed: Unreviewed[] = [
    ...row.unreviewed.map(({ item, by, at }) => ({ item, by, at })),
    ...pictures.map(({ pictureId, by, at }) => ({ item: 'picture' as const, pictureId, by, at })),
  ];
  const seedHooks = row.seedHooks.filter(hook => !avoided.test(hook));
  return { ...toApp(row), seedHooks, brand: row.brand, unreviewed };
}
