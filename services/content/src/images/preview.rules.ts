import type { ImageRow, StoredImage } from './record.ts';

/** A preview has no row: its id says where its file is. Nobody can forge one, because its link is signed. */
export function previewId({
  contentType,
  bytes,
  digest,
}: Pick<ImageRow, 'contentType' | 'bytes' | 'digest'>) {
  return `preview_${contentType.replace('image/', '')}_${bytes}_${digest.toString('hex')}`;
}

/** @returns null for the id of an image with a row */
export function readPreviewId(id: string): StoredImage | null {
  const [, type, bytes, digest] = /^preview_(jpeg|webp)_(\d{1,9})_([0-9a-f]{64})$/.exec(id) ?? [];
  if (type === undefined || digest === undefined) return null;
  return { id, contentType: `image/${type}`, bytes: Number(bytes), digest };
}
