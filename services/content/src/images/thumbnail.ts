import { ApiError, notFound } from '@hookline/shared/contracts';
import { type FairQueue, QueueFullError, thumbnailWidth } from '@hookline/shared/kernel';
import { sha256 } from '@hookline/shared/kernel/sha256';
import { makeThumbnail } from '@hookline/slides';
import type { ContentDeps } from '../deps.ts';
import { asUnavailable } from './read.ts';
import type { StoredImage } from './record.ts';
import { recordBeforeStoring, unreferencedMs } from './record-files.ts';

/** Reads the thumbnail of an image; the first request makes and stores it. */
export async function readThumbnail(
  deps: Pick<ContentDeps, 'db' | 'images' | 'now' | 'thumbnailTurns'>,
  image: StoredImage,
): Promise<{ digest: string; bytes: Buffer }> {
  const digest = thumbnailDigest(image.digest);
  const stored = await deps.images.read(digest).catch(asUnavailable);
  if (stored) return { digest, bytes: stored };
  const { thumbnailTurns: turns } = deps;
  // Previews name no account, so they share one turn.
  const turn = { workspace: image.accountId ?? '' };
  await enter(turns, turn);
  try {
    const storedSince = await deps.images.read(digest).catch(asUnavailable);
    return { digest, bytes: storedSince ?? (await make(deps, image, digest)) };
  } finally {
    turns.leave(turn);
  }
}

async function enter(turns: FairQueue, turn: { workspace: string }): Promise<void> {
  try {
    await turns.enter(turn);
  } catch (error) {
    if (!(error instanceof QueueFullError)) throw error;
    throw new ApiError('service_unavailable', undefined, { retryAfterSeconds: 1, cause: error });
  }
}

async function make(
  { db, images, now }: Pick<ContentDeps, 'db' | 'images' | 'now'>,
  image: StoredImage,
  digest: string,
): Promise<Buffer> {
  const whole = await images.read(image.digest).catch(asUnavailable);
  if (!whole) throw notFound('image');
  const bytes = await makeThumbnail(whole, thumbnailWidth);
  const checkAt = new Date(now().getTime() + unreferencedMs);
  const thumbnailOf = Buffer.from(image.digest, 'hex');
  const digests = [Buffer.from(digest, 'hex')];
  await recordBeforeStoring(db, { digests, thumbnailOf, checkAt }).catch(asUnavailable);
  await images.put(digest, bytes).catch(asUnavailable);
  return bytes;
}

/** The thumbnail's key derives from the image's, so that no row has to name it. */
function thumbnailDigest(imageDigest: string): string {
  return sha256(`thumbnail ${thumbnailWidth} of ${imageDigest}`).toString('hex');
}
