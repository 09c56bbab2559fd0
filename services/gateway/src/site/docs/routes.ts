import { jsonHeaders } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import { apiRoot } from '../../public-api.ts';
import type { SiteDeps } from '../../site-deps.ts';
import { addVary } from '../console/headers.ts';
import { addPageRoutes } from './page-routes.ts';
import { addDocsRoutes } from './reference-routes.ts';

export function addDocumentRoutes(app: FastifyInstance, { publicUrl }: Pick<SiteDeps, 'publicUrl'>): void {
  let openApi: string | undefined;

  app.get(`${apiRoot}/openapi.json`, async (_request, reply) => {
    openApi ??= await openApiOf(publicUrl);
    return reply.headers(jsonHeaders).send(openApi);
  });
  addDocsRoutes(app);
  addPageRoutes(app, publicUrl);

  app.get('/', async (request, reply) => {
    reply.headers({ vary: addVary(reply, 'accept'), 'cache-control': 'no-cache' });
    if (request.headers.accept?.includes('text/html')) return reply.redirect('/console');
    return reply.headers(jsonHeaders).send(JSON.stringify({ data: entryPoints(publicUrl) }));
  });
}

async function openApiOf(publicUrl: string): Promise<string> {
  const { buildOpenApi } = await import('../openapi/document.ts');
  return JSON.stringify(buildOpenApi(publicUrl));
}

function entryPoints(publicUrl: string): Record<string, string> {
  return {
    name: 'Hookline',
    version: '1.0.0',
    api: publicUrl + apiRoot,
    console: `${publicUrl}/console`,
    docs: `${publicUrl}/docs`,
    openapi: `${publicUrl}${apiRoot}/openapi.json`,
    mcp: `${publicUrl}/mcp`,
    llms: `${publicUrl}/llms.txt`,
    health: `${publicUrl}/readyz`,
  };
}
