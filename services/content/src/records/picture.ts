import type { Picture } from '@hookline/shared/contracts/apps';
import type { Change } from './app.ts';

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
