import { Readable } from 'node:stream';
import { ApiError, notFound } from '@hookline/shared/contracts';
import type { Caller } from '@hookline/shared/http';
import type { ContentDeps } from '../deps.ts';
import { readImage } from '../images/read.ts';
import { zip } from '../images/zip.rules.ts';
import { findContent } from './queries.ts';

/**
 * The slides in order, and their texts. One slide is in memory at a time.
 * @throws ApiError `not_found`, `no_images`; `slide_missing` for the first slide
 */
export async function openArchive(
  deps: Pick<ContentDeps, 'db' | 'images'>,
  { accountId }: Pick<Caller, 'accountId'>,
  id: string,
): Promise<Readable> {
  const content = await findContent(deps.db, accountId, id);
  if (!content) throw notFound('content');
  const { result, images } = content;
  const [first, ...others] = images;
  if (!first || !result) throw new ApiError('no_images');
  // A missing file is an answer while nothing of the archive is sent.
  const cover = await readImage(deps, first.imageId);
  const { hook, caption, hashtags } = result;
  const nameOf = (at: number) => `${String(at + 1).padStart(2, '0')}.jpg`;
  async function* files() {
    yield { name: nameOf(0), bytes: cover.bytes };
    for (const [at, image] of others.entries()) {
      yield { name: nameOf(at + 1), bytes: (await readImage(deps, image.imageId)).bytes };
    }
    const text = [hook, caption, hashtags.join(' ')].filter(Boolean).join('\n\n');
    yield { name: 'caption.txt', bytes: Buffer.from(`${text}\n`) };
  }
  return Readable.from(zip(files()));
}
