import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { enterRoute } from './control/guard.ts';
import { controlRoutes } from './control/routes.ts';
import { llmRoutes } from './llm/chat.ts';
import { mailRoutes } from './mail/page.ts';
import { instagramRoutes } from './metrics/instagram.ts';
import { youtubeRoutes } from './metrics/youtube.ts';
import { pageRoutes } from './pages/routes.ts';
import { appStoreRoutes } from './stores/app-store.ts';
import { googlePlayRoutes } from './stores/google-play.ts';
import { authorizeRoutes } from './tiktok/authorize.ts';
import { newLogId } from './tiktok/ids.ts';
import { oauthRoutes } from './tiktok/oauth.ts';
import { publishRoutes } from './tiktok/publish.ts';
import type { Puller } from './tiktok/pull.ts';
import { userInfoRoutes } from './tiktok/user-info.ts';
import { videoRoutes } from './tiktok/videos.ts';
import type { World } from './world.ts';

/** All simulated platforms on one server, each under its own path. */
export function buildApp(world: World, puller: Puller): FastifyInstance {
  const app = Fastify({
    bodyLimit: 1_048_576,
    requestTimeout: 30_000,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 300 },
    // No route has a JSON Schema. Without these factories Fastify would load its compilers at
    // the start: 110 modules.
    schemaController: { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } },
  });
  // Bodies stay text: each platform checks content type and format by its own rules and answers with its own
  // errors.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  world.requests.watch(app, world.now);
  app.setNotFoundHandler((request, reply) => notFound(world, request.url, reply));
  app.register(async scope => pageRoutes(scope, world));
  app.register(async scope => mailRoutes(scope, world));
  app.register(async scope => enterRoute(scope, world));
  app.register(async scope => tiktokRoutes(scope, world, puller), { prefix: '/tiktok' });
  app.register(async scope => appStoreRoutes(scope, world), { prefix: '/appstore' });
  app.register(async scope => googlePlayRoutes(scope, world), { prefix: '/googleplay' });
  app.register(async scope => youtubeRoutes(scope, world), { prefix: '/youtube' });
  app.register(async scope => instagramRoutes(scope, world), { prefix: '/instagram' });
  app.register(async scope => llmRoutes(scope, world), { prefix: '/llm' });
  app.register(async scope => controlRoutes(scope, world), { prefix: '/_control' });
  return app;
}

function refuseSchema(): never {
  throw new Error('routes check requests themselves, not by a Fastify schema');
}

function tiktokRoutes(app: FastifyInstance, world: World, puller: Puller): void {
  authorizeRoutes(app, world);
  oauthRoutes(app, world);
  userInfoRoutes(app, world);
  publishRoutes(app, world, puller);
  videoRoutes(app, world);
}

// Each platform answers an unknown path in its own way.
function notFound(world: World, url: string, reply: FastifyReply): void {
  if (url.startsWith('/tiktok/')) {
    const error = { code: 'invalid_params', message: 'Unsupported path', log_id: newLogId(world.now()) };
    reply.code(404).send({ error });
  } else if (url.startsWith('/youtube/')) {
    reply.code(404).send({
      error: {
        code: 404,
        message: 'Not Found',
        errors: [{ message: 'Not Found', domain: 'global', reason: 'notFound' }],
      },
    });
  } else if (url.startsWith('/instagram/')) {
    reply
      .code(400)
      .send({ error: { message: 'Unknown path components', type: 'OAuthException', code: 2500 } });
  } else {
    reply.code(404).type('text/plain').send('Not found');
  }
}
