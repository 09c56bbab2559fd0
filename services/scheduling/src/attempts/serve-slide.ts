import { sha256 } from '@hookline/shared/kernel/sha256';
import type { SchedulingDeps } from '../deps.ts';
import { contentTypeOf } from '../platform/image-facts.rules.ts';
import { findMediaSlide, recordMissingSlide, recordPull } from './queries.ts';

/**
 * The pull is committed before the bytes are returned: from then on the call counts as arrived and can never
 * be fenced.
 * @param isPull false for a request that gets no bytes
 */
export async function serveSlide(
  { db, slides, now }: Pick<SchedulingDeps, 'db' | 'slides' | 'now'>,
  { token, slide }: { token: string; slide: number },
  isPull: boolean,
): Promise<{ bytes: Buffer; contentType: string } | null> {
  const found = await findMediaSlide(db, sha256(token), slide);
  if (!found) return null;
  const bytes = await slides.bytes(found.imageId);
  if (!bytes) {
    await recordMissingSlide(db, found.attemptId, slide);
    return null;
  }
  // Only the first pull counts: the slides after it need no write.
  if (isPull && !found.isPulled && !(await recordPull(db, found.attemptId, now()))) return null;
  return { bytes, contentType: contentTypeOf(bytes) ?? 'application/octet-stream' };
}
