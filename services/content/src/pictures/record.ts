import { Picture, type Unreviewed } from '@hookline/shared/contracts/apps';
import { type RowOf, recordOf } from '@hookline/shared/contracts/rows';

/** An app has at most this many pictures, screenshots included and slides not. */
export const picturesMax = 50;
/** An app keeps this many finished slides, the newest. */
export const slidesMax = 500;

/** `authorId` is the person; for a key it is the one who minted it. */
export type Change = Pick<Unreviewed, 'by' | 'at'> & { authorId: string };

export type UnreviewedPicture = Change & { pictureId: string };

/** Pictures depend on the screenshots and the icon of the app's store page, and on its logo. */
export type PicturedApp = {
  id: string;
  accountId: string;
  listing: { screenshots: string[]; iconUrl: string | null };
  brand: { logoImageId: string | null } | null;
};

export type PictureRow = RowOf<Omit<Picture, 'kind' | 'url'>> & {
  accountId: string;
  appId: string;
  /** An icon is shown on closing slides alone, and is in no list. */
  kind: Picture['kind'] | 'icon';
  digest: Buffer;
  /** What is on the store page has an address; uploads have null. */
  sourceUrl: string | null;
  unreviewed: Change | null;
};

export function toPicture(row: PictureRow, imageUrl: (id: string) => string): Picture {
  const kind = row.kind === 'icon' ? 'screenshot' : row.kind;
  return recordOf(Picture, { ...row, kind, url: imageUrl(row.id) });
}
