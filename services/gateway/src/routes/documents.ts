import { jsonHeaders } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import { addDocsRoutes } from '../docs-page.ts';
import { buildOpenApi } from '../openapi/document.ts';
import { apiRoot } from '../public-api.ts';

/** The reference for machines and for people. The document is made at its first reading and kept. */
export function addDocumentRoutes(app: FastifyInstance, publicUrl: string): void {
  let openApi: string | undefined;

  app.get(`${apiRoot}/openapi.json`, async (_request, reply) => {
    openApi ??= JSON.stringify(buildOpenApi(publicUrl));
    return reply.headers(jsonHeaders).send(openApi);
  });
  addDocsRoutes(app);
}
