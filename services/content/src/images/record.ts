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

/**
 * `digest`: the SHA-256 of the bytes as 64 hexadecimal digits, the key of the image in its store.
 * `accountId`: whose it is; a preview, which has no row, does not say.
 */
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
