import { ApiError } from '@hookline/shared/contracts';
import type { FastifyInstance } from 'fastify';
import { receivePlatformEvent } from '../actions/receive-platform-event.ts';
import type { Parts } from '../parts.ts';
import { isSignedByPlatform } from '../platform/webhook-signature.ts';

/** TikTok's webhooks. Open: the signature over the raw body is the right to call. */
export async function addPlatformEventRoutes(app: FastifyInstance, parts: Parts): Promise<void> {
  await app.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post('/platform/tiktok/events', { config: { open: true } }, async request => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const signature = request.headers['tiktok-signature'];
      if (!isSignedByPlatform(signature, body, parts.clientSecret, parts.now())) {
        throw new ApiError(
          'unauthorized',
          'TikTok-Signature must be a signature of this body, made within 5 minutes.',
        );
      }
      await receivePlatformEvent(parts, body);
      return { data: { received: true } };
    });
  });
}
