import type { Picture, Unreviewed } from '@hookline/shared/contracts/apps';

/** An app has at most this many pictures, screenshots included. */
export const picturesMax = 50;

/** `authorId` is the person; for a key it is the one who minted it. */
export type Change = Pick<Unreviewed, 'by' | 'at'> & { authorId: string };

export type UnreviewedPicture = Change & { pictureId: string };

/** Pictures depend on the screenshots of the app's store page, and on its logo. */
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
  /** Screenshots have an address; uploads have null. */
  sourceUrl: string | null;
  unreviewed: Change | null;
  createdAt: Date;
  updatedAt: Date;
};

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
