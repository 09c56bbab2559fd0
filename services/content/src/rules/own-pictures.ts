import type { PictureRow } from '../records/picture.ts';

/**
 * The pictures of an app that a deck shows unless its brief names some: those of kind `first`, or else the
 * others. Uploads keep their order. Screenshots have the order of the store page; those that it no longer has
 * are shown while none of its own is there.
 * @param page addresses of the screenshots of the store page
 */
export function ownPictures(
  pictures: readonly PictureRow[],
  page: readonly string[],
  first: PictureRow['kind'],
): PictureRow[] {
  const preferred = pictures.filter(({ kind }) => kind === first);
  const shown = preferred.length > 0 ? preferred : [...pictures];
  const placeOf = ({ sourceUrl }: PictureRow): number => (sourceUrl === null ? -1 : page.indexOf(sourceUrl));
  const listed = shown.filter(picture => placeOf(picture) >= 0);
  return listed.length > 0 ? listed.toSorted((one, other) => placeOf(one) - placeOf(other)) : shown;
}
