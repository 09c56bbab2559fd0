import { createHash } from 'node:crypto';
import { ApiError } from '@hookline/shared/contracts';
import type { FastifyInstance } from 'fastify';
import type { Parts } from '../parts.ts';
import { findMediaSlide, noteMissingSlide, recordPull } from '../queries/attempts.ts';
import { contentTypeOf } from '../rules/image-facts.ts';

/**
 * What the platform downloads: open, under the attempt's own unguessable token, no redirect. The pull is on the
 * attempt's row before the first byte goes out; once the attempt is fenced or over, 404.
 */
export function addMediaRoutes(app: FastifyInstance, parts: Parts): void {
  app.get('/media/posts/:attempt/:n', { config: { open: true } }, async (request, reply) => {
    const { attempt, n } = request.params as { attempt: string; n: string };
    const slide = /^[1-9]\d?$/.test(n) ? Number(n) : 0;
    const digest = createHash('sha256').update(attempt).digest();
    const found = slide > 0 ? await findMediaSlide(parts.db, digest, slide) : null;
    const bytes = found && (await parts.slides.bytes(found.imageId));
    if (found && !bytes) await noteMissingSlide(parts.db, found.attemptId, slide);
    if (!found || !bytes) throw new ApiError('not_found', 'No such image.');
    // The first pull is what counts: the slides after it need no write. HEAD takes no bytes, so it is none.
    if (!found.isPulled && request.method !== 'HEAD') {
      if (!(await recordPull(parts.db, found.attemptId, parts.now()))) {
        throw new ApiError('not_found', 'No such image.');
      }
    }
    return reply
      .headers({
        'content-type': contentTypeOf(bytes) ?? 'application/octet-stream',
        'content-length': String(bytes.length),
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
      })
      .send(bytes);
  });
}
