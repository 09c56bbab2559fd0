import { notFound } from '@hookline/shared/contracts';
import { requireSealedBody } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import type { SchedulingDeps } from '../deps.ts';
import { receivePlatformEvent } from './receive-event.ts';
import { serveSlide } from './serve-slide.ts';

/** The platform downloads slides without a key or a redirect, under the attempt's unguessable token. */
export function addMediaRoutes(app: FastifyInstance, deps: SchedulingDeps): void {
  app.get('/media/posts/:attempt/:n', { config: { open: true } }, async (request, reply) => {
    const { attempt, n } = request.params as { attempt: string; n: string };
    const slide = /^[1-9]\d?$/.test(n) ? Number(n) : 0;
    // HEAD gets no bytes, so it is not a pull.
    const found =
      slide > 0 ? await serveSlide(deps, { token: attempt, slide }, request.method !== 'HEAD') : null;
    if (!found) throw notFound('image');
    return reply
      .headers({
        'content-type': found.contentType,
        'content-length': String(found.bytes.length),
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
      })
      .send(found.bytes);
  });
}

/** TikTok's webhooks have no key: the signature over the raw body authenticates the caller. */
export async function addPlatformEventRoutes(app: FastifyInstance, deps: SchedulingDeps): Promise<void> {
  await app.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
      requireSealedBody(request, body as Buffer);
      done(null, body);
    });
    scope.post('/platform/tiktok/events', { config: { open: true } }, async request => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      await receivePlatformEvent(deps, request.headers['tiktok-signature'], body);
      return { data: { received: true } };
    });
  });
}
