import { requireSealedBody } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import { receivePlatformEvent } from '../actions/receive-platform-event.ts';
import type { SchedulingDeps } from '../deps.ts';

/** TikTok's webhooks. No key: the signature over the raw body authenticates the caller. */
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
