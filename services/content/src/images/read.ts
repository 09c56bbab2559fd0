import type { Readable } from 'node:stream';
import { ApiError, notFound } from '@hookline/shared/contracts';
import type { ContentDeps } from '../deps.ts';
import type { ByteRange } from '../storage/byte-range.rules.ts';
import { ImageStoreError } from '../storage/image-store.ts';
import { findImage } from './queries.ts';
import type { StoredImage } from './record.ts';

/** Longest that the store may take to say that it is there. */
const askingMs = 1_000;

/**
 * Reads a whole image for posting.
 * @throws ApiError `slide_missing` if its row or file is missing, `service_unavailable` if the store cannot
 * be read
 */
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

/**
 * Opens an image. The caller consumes or destroys the stream.
 * @throws ApiError `not_found` if its file is missing, `service_unavailable` if the store cannot be read
 */
export async function streamImage(
  { images }: Pick<ContentDeps, 'images'>,
  image: StoredImage,
  range: ByteRange | undefined,
): Promise<Readable> {
  const stream = await images.stream(image.digest, range).catch(asUnavailable);
  if (!stream) throw notFound('image');
  return stream;
}

/** @throws ApiError `service_unavailable` for a store that cannot be used; any other error as it is */
export function asUnavailable(error: unknown): never {
  if (!(error instanceof ImageStoreError)) throw error;
  throw new ApiError('service_unavailable', 'The slide images cannot be read; try again.', {
    retryAfterSeconds: 2,
    cause: error,
  });
}
