import { jsonHeaders } from '@hookline/shared/http/routes';
import type { FastifyInstance } from 'fastify';
import { buildDocsPage } from '../docs-page.ts';
import { buildOpenApi } from '../openapi.ts';
import { apiRoot } from '../public-api.ts';

/** The reference for machines and for people. Each is made at its first reading and kept. */
export function addDocumentRoutes(app: FastifyInstance, publicUrl: string): void {
  let openApi: string | undefined;
  let docs: string | undefined;

  app.get(`${apiRoot}/openapi.json`, async (_request, reply) => {
    openApi ??= JSON.stringify(buildOpenApi(publicUrl));
    return reply.headers(jsonHeaders).send(openApi);
  });

  app.get('/docs', async (_request, reply) => {
    docs ??= buildDocsPage(publicUrl);
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
        'x-content-type-options': 'nosniff',
      })
      .send(docs);
  });
}
