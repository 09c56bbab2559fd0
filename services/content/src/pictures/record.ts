import type { Picture, Unreviewed } from '@hookline/shared/contracts/apps';

/** The maximum number of pictures of one app, screenshots included. */
export const picturesMax = 50;

/** A change that needs a review. `authorId` is the person; for a key it is the one who minted it. */
export type Change = Pick<Unreviewed, 'by' | 'at'> & { authorId: string };

export type UnreviewedPicture = Change & { pictureId: string };

/** What pictures need to know of their app: the screenshots of its store page, and its logo. */
export type PicturedApp = {
  id: string;
  accountId: string;
  listing: { screenshots: string[] };
  brand: { logoImageId: string | null } | null;
};

export type PictureRow = {
  id: string;
  accountId: string;
  appId: string;
  kind: 'upload' | 'screenshot';
  width: number;
  height: number;
  bytes: number;
  contentType: string;
  digest: Buffer;
  /** Where a screenshot was fetched; null for an upload. */
  sourceUrl: string | null;
  /** Null for one that needs no review. */
  unreviewed: Change | null;
  createdAt: Date;
  updatedAt: Date;
};

/** @param imageUrl signs a link */
export function toPicture(row: PictureRow, imageUrl: (id: string) => string): Picture {
  const { id, kind, width, height, bytes, contentType, createdAt, updatedAt } = row;
  return {
    id,
    kind,
    width,
    height,
    bytes,
    contentType,
    url: imageUrl(id),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
