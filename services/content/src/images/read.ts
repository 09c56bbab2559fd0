import type { Readable } from 'node:stream';
import { ApiError, notFound } from '@hookline/shared/contracts';
import type { ContentDeps } from '../deps.ts';
import type { ByteRange } from '../storage/byte-range.rules.ts';
import { ImageStoreError } from '../storage/image-store.ts';
import { findImage } from './queries.ts';
import type { StoredImage } from './record.ts';

const askingMs = 1_000;

export async function readImage(
  deps: Pick<ContentDeps, 'db' | 'images'>,
  id: string,
): Promise<{ contentType: string; bytes: Buffer }> {
  const image = await findImage(deps.db, id);
  const bytes = image && (await deps.images.read(image.digest).catch(asUnavailable));
  if (!image || !bytes) throw new ApiError('slide_missing', `The file of the slide image ${id} is gone.`);
  return { contentType: image.contentType, bytes };
}

/** @throws ImageStoreError if the store does not answer, here for a file that does not exist */
export async function askImageStore({ images }: Pick<ContentDeps, 'images'>): Promise<void> {
  await images.read('0'.repeat(64), AbortSignal.timeout(askingMs));
}

/** Opens an image. The caller consumes or destroys the stream. */
export async function streamImage(
  { images }: Pick<ContentDeps, 'images'>,
  image: StoredImage,
  range: ByteRange | undefined,
): Promise<Readable> {
  const stream = await images.stream(image.digest, range).catch(asUnavailable);
  if (!stream) throw notFound('image');
  return stream;
}

/** Turns an ImageStoreError into `service_unavailable`, and throws any other as it is. */
export function asUnavailable(error: unknown): never {
  if (!(error instanceof ImageStoreError)) throw error;
  throw new ApiError('service_unavailable', 'The slide images cannot be read; try again.', {
    retryAfterSeconds: 2,
    cause: error,
  });
}
