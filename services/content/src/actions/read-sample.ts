import { notFound } from '@hookline/shared/contracts';
import type { ContentDeps } from '../deps.ts';

/** A sample image of a template. The first call draws them all. @throws ApiError `not_found` */
export async function readSample({ samples }: Pick<ContentDeps, 'samples'>, name: string): Promise<Buffer> {
  const bytes = (await samples()).get(name);
  if (!bytes) throw notFound('image');
  return bytes;
}
