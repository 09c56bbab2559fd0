import { jsonHeaders } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import type { GatewayDeps } from '../deps.ts';
import { addDocsRoutes } from '../docs-page.ts';
import { buildOpenApi } from '../openapi/document.ts';
import { apiRoot } from '../public-api.ts';

/** The API reference for programs and for people. The document is built at its first request and kept. */
export function addDocumentRoutes(app: FastifyInstance, { publicUrl }: Pick<GatewayDeps, 'publicUrl'>): void {
  let openApi: string | undefined;

  app.get(`${apiRoot}/openapi.json`, async (_request, reply) => {
    openApi ??= JSON.stringify(buildOpenApi(publicUrl));
    return reply.headers(jsonHeaders).send(openApi);
  });
  addDocsRoutes(app);
}
