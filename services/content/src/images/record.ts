import type { EventImage } from '@hookline/shared/contracts/content';

export type ImageRow = {
  id: string;
  index: number;
  width: number;
  height: number;
  bytes: number;
  contentType: string;
  digest: Buffer;
};

/** `digest` is the key of the image in its store, in hexadecimal. A preview has no row and no `accountId`. */
export type StoredImage = {
  id: string;
  contentType: string;
  bytes: number;
  digest: string;
  accountId?: string;
};

export function toEventImage({ id, digest: _, ...image }: ImageRow): EventImage {
  return { imageId: id, ...image };
}
