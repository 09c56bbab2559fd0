import { ApiError, invalidRequest, notFound } from '@hookline/shared/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ContentDeps } from '../deps.ts';
import { ImageStoreError } from '../image-store.ts';
import { findImage, type StoredImage } from '../queries/images.ts';
import { readByteRange } from '../rules/byte-range.ts';

/** `/media/images/{id}?e=&s=`: no key, the signature is the right to read. A wrong or expired one is a 404. HEAD: without the body. */
export function addImageRoutes(app: FastifyInstance, deps: ContentDeps): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/media/images/:id',
    config: { open: true },
    handler: async (request, reply) => {
      const { id } = request.params as { id: string };
      const { e, s } = request.query as Record<string, unknown>;
      const isValid =
        typeof e === 'string' && typeof s === 'string' && deps.links.isValid(id, e, s, deps.now());
      const image = isValid ? await findImage(deps.db, id) : null;
      if (!image) throw notFound('image');
      return await sendImage(deps, image, request, reply);
    },
  });

  app.get('/internal/images/:id', async (request, reply) => {
    if (request.call?.sender !== 'scheduling') throw new ApiError('unauthorized');
    const { id } = request.params as { id: string };
    const image = await findImage(deps.db, id);
    const bytes = image && (await deps.images.read(image.digest).catch(asUnavailable));
    if (!image || !bytes) throw new ApiError('slide_missing', `The file of the slide image ${id} is gone.`);
    return reply.headers({ 'content-type': image.contentType, 'content-length': bytes.length }).send(bytes);
  });
}

/** The bytes as they come from the store: whole, the range asked for, or 304 for a copy that is still good. */
async function sendImage(
  deps: ContentDeps,
  image: StoredImage,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const etag = `"${image.digest}"`;
  const headers = {
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=86400, immutable',
    'x-content-type-options': 'nosniff',
  };
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).headers(headers).send();
  const { range: asked, 'if-range': ifRange } = request.headers;
  const isRangeOfThis = ifRange === undefined || ifRange === etag;
  const range = readByteRange(isRangeOfThis ? asked : undefined, image.bytes);
  if (range === 'none') {
    reply.header('content-range', `bytes */${image.bytes}`);
    throw invalidRequest(`Range must lie within the ${image.bytes} bytes of the image`, { status: 416 });
  }
  const part = range === 'whole' ? undefined : range;
  const stream = await deps.images.stream(image.digest, part).catch(asUnavailable);
  if (!stream) throw notFound('image');
  if (part) {
    reply.code(206).header('content-range', `bytes ${part.first}-${part.last}/${image.bytes}`);
  }
  const length = part ? part.last - part.first + 1 : image.bytes;
  reply.headers({ ...headers, 'content-type': image.contentType, 'content-length': length });
  if (request.method !== 'HEAD') return reply.send(stream);
  // Opened all the same: an image that is gone is a 404 here, too.
  stream.destroy();
  return reply.send();
}

function isKnown(header: string | undefined, etag: string): boolean {
  return header?.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag) ?? false;
}

function asUnavailable(error: unknown): never {
  if (!(error instanceof ImageStoreError)) throw error;
  throw new ApiError('service_unavailable', 'The slide images cannot be read; try again.', {
    retryAfterSeconds: 2,
    cause: error,
  });
}
