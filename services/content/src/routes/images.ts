import { ApiError, notFound } from '@hookline/shared/errors';
import type { FastifyInstance } from 'fastify';
import type { ContentDeps } from '../deps.ts';
import { findImage } from '../queries/images.ts';

/** `/media/images/{id}?e=&s=`: no key, the signature is the right to read. A wrong or expired one is a 404. */
export function addImageRoutes(app: FastifyInstance, deps: ContentDeps): void {
  app.get('/media/images/:id', { config: { open: true } }, async (request, reply) => {
    const { id } = request.params as { id: string };
    const { e, s } = request.query as Record<string, unknown>;
    const isValid =
      typeof e === 'string' && typeof s === 'string' && deps.links.isValid(id, e, s, deps.now());
    const image = isValid ? await findImage(deps.db, id) : null;
    const stream = image && (await deps.images.stream(image.id));
    if (!image || !stream) throw notFound('image');
    return reply
      .headers({
        'content-type': image.contentType,
        'content-length': image.bytes,
        'cache-control': 'private, max-age=86400, immutable',
        'x-content-type-options': 'nosniff',
      })
      .send(stream);
  });

  app.get('/internal/images/:id', async (request, reply) => {
    if (request.call?.sender !== 'scheduling') throw new ApiError('unauthorized');
    const { id } = request.params as { id: string };
    const image = await findImage(deps.db, id);
    const bytes = image && (await deps.images.read(image.id));
    if (!image || !bytes) throw new ApiError('slide_missing', `The file of the slide image ${id} is gone.`);
    return reply.headers({ 'content-type': image.contentType, 'content-length': bytes.length }).send(bytes);
  });
}
