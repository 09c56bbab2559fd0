import { newId } from '@hookline/shared/kernel';
import { sha256 } from '@hookline/shared/kernel/sha256';
import type { Picture } from '@hookline/slides';
import type { ContentDeps } from '../deps.ts';
import { recordBeforeStoring, unreferencedMs } from '../images/record-files.ts';
import type { PictureRow } from './record.ts';

const storingMs = 5_000;

/** Stores the file of a picture. The caller writes the row afterwards; a file without one is reaped. */
export async function storePicture(
  deps: Pick<ContentDeps, 'db' | 'now' | 'images'>,
  of: Pick<PictureRow, 'accountId' | 'appId' | 'kind' | 'sourceUrl' | 'unreviewed'>,
  { bytes, width, height, contentType }: Picture,
): Promise<PictureRow> {
  const digest = sha256(bytes);
  const now = deps.now();
  const checkAt = new Date(now.getTime() + unreferencedMs);
  await recordBeforeStoring(deps.db, { digests: [digest], checkAt });
  await deps.images.put(digest.toString('hex'), bytes, AbortSignal.timeout(storingMs));
  return {
    ...of,
    id: newId('picture', now.getTime()),
    width,
    height,
    bytes: bytes.length,
    contentType,
    digest,
    createdAt: now,
    updatedAt: now,
  };
}
