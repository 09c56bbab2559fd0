import { z } from 'zod';
import { list, single } from './envelope.ts';
import { body, filledText, idText, pageQuery, recordFields, text } from './fields.ts';
import { defineRoute } from './route.ts';

export const App = z
  .object({
    ...recordFields,
    name: z.string(),
    details: z.string().meta({ description: 'Description text derived for the app.' }),
    seedHooks: z.array(z.string()).max(15).optional().meta({ description: 'On creation and on get.' }),
  })
  .meta({ id: 'App' });
export type App = z.infer<typeof App>;

export const CreateAppBody = body({
  name: filledText(200),
  appStoreUrl: text(1, 2048).meta({ example: 'https://apps.apple.com/us/app/pebblo/id9990000011' }),
}).meta({ id: 'CreateApp' });
export type CreateAppBody = z.infer<typeof CreateAppBody>;

export const IdParams = z.object({ id: idText() });

export const createApp = defineRoute({
  id: 'createApp',
  method: 'POST',
  path: '/apps',
  service: 'content',
  auth: 'key',
  scopes: ['apps:write'],
  summary: 'Import an app from its store page',
  body: CreateAppBody,
  status: 201,
  response: single(App),
  errors: ['store_unavailable'],
  idempotency: 'honoured',
});

export const listApps = defineRoute({
  id: 'listApps',
  method: 'GET',
  path: '/apps',
  service: 'content',
  auth: 'key',
  scopes: ['apps:read'],
  summary: 'List apps, newest first',
  query: body(pageQuery),
  status: 200,
  response: list(App),
  errors: [],
});

export const getApp = defineRoute({
  id: 'getApp',
  method: 'GET',
  path: '/apps/{id}',
  service: 'content',
  auth: 'key',
  scopes: ['apps:read'],
  summary: 'Get one app with its seed hooks',
  params: IdParams,
  status: 200,
  response: single(App),
  errors: ['not_found'],
});
