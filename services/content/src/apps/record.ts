import { compileAvoidedWords } from '@hookline/deck';
import type { fontPairNames, Unreviewed } from '@hookline/shared/contracts/apps';
import type { Lesson } from '@hookline/shared/contracts/lesson';
import type { OwnFields } from '@hookline/shared/contracts/own-fields';
import type { Change, UnreviewedPicture } from '../pictures/record.ts';
import type { StoreListing } from '../stores/record.ts';

type FontPair = (typeof fontPairNames)[number];

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
 * `Shown` is what a version shows of its app. `changedBy` has the authors of what nobody had reviewed when
 * the version was made; it is empty after an edit.
 */
export type Shown = {
  brand: Partial<Pick<Brand, 'colors' | 'fonts' | 'handle' | 'logoImageId'>>;
  pictureIds: string[];
  changedBy: string[];
};

export type AppRow = OwnFields & {
  id: string;
  accountId: string;
  name: string;
  details: string;
  seedHooks: string[];
  listing: StoreListing;
  brand: Brand | null;
  unreviewed: UnreviewedField[];
  lesson: Lesson | null;
  /** The picture of its logo, else of the icon on its store page. */
  iconId: string | null;
  createdAt: Date;
  updatedAt: Date;
};

export type ListedApp = AppRow & { contentCount: number; pictureCount: number };

export type AppTexts = Pick<AppRow, 'details' | 'seedHooks' | 'listing'>;

export function toApp(row: AppRow, imageUrl: (id: string) => string) {
  const { id, name, details, externalId, metadata, iconId } = row;
  const [createdAt, updatedAt] = [row.createdAt.toISOString(), row.updatedAt.toISOString()];
  const iconUrl = iconId === null ? null : imageUrl(iconId);
  return { id, name, details, iconUrl, createdAt, updatedAt, externalId, metadata };
}

/** Only lists return the counts. */
export function toListedApp(row: ListedApp, imageUrl: (id: string) => string) {
  const { contentCount, pictureCount } = row;
  return { ...toApp(row, imageUrl), contentCount, pictureCount };
}

/**
 * Only creation and get return hooks, brand and marks (D-47). Hooks with an avoided word are left out here,
 * so that a change of the words applies at once.
 */
export function toAppWithSeedHooks(
  row: AppRow,
  pictures: readonly UnreviewedPicture[],
  imageUrl: (id: string) => string,
) {
  const avoided = compileAvoidedWords(row.brand?.avoidWords ?? []);
  const unreviewed: Unreviewed[] = [
    ...row.unreviewed.map(({ item, by, at }) => ({ item, by, at })),
    ...pictures.map(({ pictureId, by, at }) => ({ item: 'picture' as const, pictureId, by, at })),
  ];
  const seedHooks = row.seedHooks.filter(hook => !avoided.test(hook));
  return { ...toApp(row, imageUrl), seedHooks, brand: row.brand, unreviewed };
}
