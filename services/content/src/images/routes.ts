import { invalidRequest, notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/internal';
import { addInternalRoute, RawAnswer } from '@hookline/shared/http';
import { thumbnailWidth } from '@hookline/shared/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ContentDeps } from '../deps.ts';
import { readByteRange } from '../storage/byte-range.rules.ts';
import { readPreviewId } from './preview.rules.ts';
import { findImage } from './queries.ts';
import { readImage, streamImage } from './read.ts';
import type { StoredImage } from './record.ts';
import { readThumbnail } from './thumbnail.ts';

const cachedPrivately = {
  'cache-control': 'private, max-age=86400, immutable',
  'x-content-type-options': 'nosniff',
};

/**
 * The signature of `/media/images/{id}?e=&s=` grants access without a key; a wrong or expired one is a 404.
 */
export function addImageRoutes(app: FastifyInstance, deps: ContentDeps): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/media/images/:id',
    config: { open: true },
    handler: async (request, reply) => {
      const { id } = request.params as { id: string };
      const { e, s, w } = request.query as Record<string, unknown>;
      const isValid =
        typeof e === 'string' && typeof s === 'string' && deps.links.isValid(id, e, s, deps.now());
      const image = isValid ? (readPreviewId(id) ?? (await findImage(deps.db, id))) : null;
      if (!image) throw notFound('image');
      if (w === undefined) return await sendImage(deps, image, request, reply);
      if (w !== String(thumbnailWidth)) throw invalidRequest(`w must be ${thumbnailWidth}, or left out`);
      return await sendThumbnail(deps, image, request, reply);
    },
  });

  addInternalRoute(app, contracts.getImageBytes, async ({ params }) => {
    const { contentType, bytes } = await readImage(deps, params.id ?? '');
    return new RawAnswer(200, bytes, {
      'content-type': contentType,
      'content-length': String(bytes.length),
    });
  });
}

async function sendThumbnail(
  deps: ContentDeps,
  image: StoredImage,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { digest, bytes } = await readThumbnail(deps, image);
  const etag = `"${digest}"`;
  reply.headers({ etag, ...cachedPrivately });
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
  reply.headers({ 'content-type': 'image/jpeg', 'content-length': bytes.length });
  return request.method === 'HEAD' ? reply.send() : reply.send(bytes);
}

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
    ...cachedPrivately,
  };
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).headers(headers).send();
  const { range: rangeHeader, 'if-range': ifRange } = request.headers;
  const isRangeOfThis = ifRange === undefined || ifRange === etag;
  const range = readByteRange(isRangeOfThis ? rangeHeader : undefined, image.bytes);
  if (range === 'none') {
    reply.header('content-range', `bytes */${image.bytes}`);
    throw invalidRequest(`Range must lie within the ${image.bytes} bytes of the image`, { status: 416 });
  }
  const part = range === 'whole' ? undefined : range;
  const stream = await streamImage(deps, image, part);
  if (part) {
    reply.code(206).header('content-range', `bytes ${part.first}-${part.last}/${image.bytes}`);
  }
  const length = part ? part.last - part.first + 1 : image.bytes;
  reply.headers({ ...headers, 'content-type': image.contentType, 'content-length': length });
  if (request.method !== 'HEAD') return reply.send(stream);
  // HEAD opens the image too, so that a missing file is a 404 here as well.
  stream.destroy();
  return reply.send();
}

function isKnown(header: string | undefined, etag: string): boolean {
  return header?.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag) ?? false;
}
