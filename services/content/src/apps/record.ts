import { compileAvoidedWords } from '@hookline/deck';
import type { fontPairNames, Unreviewed } from '@hookline/shared/contracts/apps';
import type { Change, UnreviewedPicture } from '../pictures/record.ts';
import type { StoreListing } from '../stores/record.ts';

type FontPair = (typeof fontPairNames)[number];

/** Null: not set. */
export type Brand = {
  colors: [string, string] | null;
  logoImageId: string | null;
  handle: string | null;
  fonts: FontPair | null;
  voice: string[] | null;
  avoidWords: string[] | null;
};

export type UnreviewedField = Change & { item: Exclude<Unreviewed['item'], 'picture'> };

/**
 * What a version shows of its app: the values of the brand, where it has them, and pictures. `changedBy`:
 * the authors of what of it nobody had reviewed when it was made; empty after an edit.
 */
export type Shown = {
  brand: Partial<Pick<Brand, 'colors' | 'fonts' | 'handle' | 'logoImageId'>>;
  pictureIds: string[];
  changedBy: string[];
};

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
