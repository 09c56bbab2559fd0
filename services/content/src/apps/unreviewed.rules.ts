/** These rules decide what of an app needs a review, and what of it a deck shows (D-92). */
import { isDeepStrictEqual } from 'node:util';
import { listSlides } from '@hookline/deck';
import { reviewedItems, type Unreviewed } from '@hookline/shared/contracts/apps';
import type { Brief } from '@hookline/shared/contracts/brief';
import type { DeckWriter, SlideshowResult } from '@hookline/shared/contracts/content';
import type { Change, PictureRow } from '../pictures/record.ts';
import type { AppRow, Brand, Shown, UnreviewedField } from './record.ts';

type Fields = { name: string | null; listing: unknown; brand: Brand | null };

const items = reviewedItems.filter(item => item !== 'picture');

/** A field that keeps its value keeps its mark; one that changes takes the mark of the change. */
export function unreviewedAfter(
  before: Fields & Pick<AppRow, 'unreviewed'>,
  after: Fields,
  change: Change | null,
): UnreviewedField[] {
  return items.flatMap(item => {
    if (!isDeepStrictEqual(fieldOf(before, item), fieldOf(after, item)))
      return change ? { item, ...change } : [];
    return before.unreviewed.find(mark => mark.item === item) ?? [];
  });
}

function fieldOf({ name, listing, brand }: Fields, item: UnreviewedField['item']): unknown {
  if (item === 'name') return name;
  if (item === 'listing') return listing;
  return brand?.[item.slice('brand.'.length) as keyof Brand] ?? null;
}

export type UsedItem = { item: Unreviewed['item']; authorId: string };

export function unreviewedOf(
  { unreviewed }: AppRow,
  { templateId, ctaMode }: Brief,
  writer: DeckWriter,
  pictures: readonly PictureRow[],
): UsedItem[] {
  const isDrawn = templateId !== undefined && templateId !== 'picture';
  const isWritten = writer.kind !== 'given';
  const isUsed: Record<UnreviewedField['item'], boolean> = {
    name: isWritten,
    listing: isWritten,
    'brand.avoidWords': isWritten,
    'brand.voice': writer.kind === 'model',
    'brand.colors': isDrawn,
    'brand.fonts': isDrawn,
    'brand.handle': isDrawn && ctaMode !== 'none',
    'brand.logoImageId': isDrawn && ctaMode !== 'none',
  };
  return [
    ...unreviewed.filter(({ item }) => isUsed[item]),
    ...pictures.flatMap(({ unreviewed }) => (unreviewed ? { item: 'picture' as const, ...unreviewed } : [])),
  ].map(({ item, authorId }) => ({ item, authorId }));
}

/** Says why a deck of an automation that approves by itself waits for a person; null if it does not. */
export function waitsForPerson(
  { originApprovalMode: mode }: { originApprovalMode: string | null },
  unreviewed: readonly UsedItem[],
): string | null {
  if (mode === 'unconfirmed') {
    return 'nobody except its author has confirmed the brief of the automation, so the slideshow waits for approval; another person confirms it with POST /automations/{id}/confirm';
  }
  if (mode !== 'auto' || unreviewed.length === 0) return null;
  const named = [...new Set(unreviewed.map(({ item }) => item))].join(', ');
  return `the slideshow was made from what nobody who may approve has reviewed in the app (${named}), so it waits for approval; POST /apps/{id}/review accepts the change`;
}

/** Says what slides show of a brand. The signature is the handle and the logo on the closing slide. */
export function shownOf(
  { brand }: Pick<AppRow, 'brand'>,
  { templateId, ctaMode }: Brief,
  pictures: readonly PictureRow[],
  { isSigned, hasLogo }: { isSigned: boolean; hasLogo: boolean },
): Shown {
  const pictureIds = pictures.map(({ id }) => id);
  if (templateId === 'picture') return { brand: {}, pictureIds, changedBy: [] };
  const { colors = null, fonts = null, handle = null, logoImageId = null } = brand ?? {};
  const hasClosing = ctaMode !== 'none';
  return {
    brand: {
      fonts,
      // A photo-card uses one of the two colors.
      ...(templateId === 'photo-card' && colors ? {} : { colors }),
      ...(hasClosing && (handle === null || isSigned) ? { handle } : {}),
      ...(hasClosing && (logoImageId === null || (isSigned && hasLogo)) ? { logoImageId } : {}),
    },
    pictureIds,
    changedBy: [],
  };
}

/** Finds the marks that an approval keeps: of what the slides and the caption do not show. */
export function unreviewedBeside(
  app: Pick<AppRow, 'name' | 'listing' | 'brand' | 'unreviewed'>,
  { result, brief, shown }: { result: SlideshowResult | null; brief: Brief | null; shown: Shown | null },
): UnreviewedField[] {
  return app.unreviewed.filter(({ item }) => {
    if (item === 'name') {
      const texts = result
        ? [...listSlides(result, brief?.ctaMode).map(({ text }) => text), result.caption]
        : [];
      return !texts.some(text => text.includes(app.name));
    }
    const drawn = shown?.brand ?? {};
    const field = item.slice('brand.'.length) as keyof typeof drawn;
    return !(field in drawn && isDeepStrictEqual(drawn[field], app.brand?.[field] ?? null));
  });
}
