import * as contracts from '@hookline/shared/contracts/brief';
import { addRoute } from '@hookline/shared/http';
import { sampleNames, templates } from '@hookline/slides';
import type { FastifyInstance } from 'fastify';
import type { ContentDeps } from '../deps.ts';
import { readSample } from './samples.ts';

export function addTemplateRoutes(app: FastifyInstance, deps: ContentDeps): void {
  addRoute(app, contracts.listTemplates, async () => ({
    data: templates.map(template => ({
      ...template,
      sampleUrls: sampleNames(template.id).map(name => `${deps.publicUrl}/media/templates/${name}`),
    })),
  }));

  // Samples are public: they are the same for everyone.
  app.get('/media/templates/:name', { config: { open: true } }, async (request, reply) => {
    const bytes = await readSample(deps, (request.params as { name: string }).name);
    return await reply
      .headers({
        'content-type': 'image/jpeg',
        'cache-control': 'public, max-age=86400',
        'x-content-type-options': 'nosniff',
      })
      .send(bytes);
  });
}
