import { z } from 'zod';
import { recordFields, textField } from './answer-fields.ts';
import { list, single } from './envelope.ts';
import { exampleIds, listExample, newRecord } from './examples.ts';
import { body, filledText, idParams, pageQuery, text } from './fields.ts';
import { defineRoute } from './route.ts';

export const App = z
  .object({
    ...recordFields,
    name: textField,
    details: textField.meta({ description: 'Description text derived for the app.' }),
    seedHooks: z
      .array(textField)
      .max(15)
      .optional()
      .meta({ description: 'Only in the responses of create and get.' }),
  })
  .meta({ id: 'App' });
export type App = z.infer<typeof App>;

export const CreateAppBody = body({
  name: filledText(200),
  appStoreUrl: text(1, 2048).meta({ examples: ['https://apps.apple.com/us/app/pebblo/id9990000011'] }),
}).meta({ id: 'CreateApp' });
export type CreateAppBody = z.infer<typeof CreateAppBody>;

const exampleApp: App = {
  id: exampleIds.app,
  ...newRecord,
  name: 'Pebblo',
  details: 'A habit tracker that grows a stone garden, one small win a day.',
};
const exampleHooks = ['5 habits that changed my mornings', 'Nobody told me small wins add up'];

export const createApp = defineRoute({
  id: 'createApp',
  method: 'POST',
  path: '/apps',
  service: 'content',
  auth: 'key',
  scopes: ['apps:write'],
  summary: 'Import an app from its store page',
  description:
    'Costs no credits. Reads the App Store or Google Play page and derives up to 15 hooks from it. An account has at most 100 apps.',
  body: CreateAppBody,
  status: 201,
  response: single(App),
  errors: ['store_unavailable'],
  idempotency: 'honoured',
  waitsOutside: 'always',
  example: {
    body: { name: 'Pebblo', appStoreUrl: 'https://apps.apple.com/us/app/pebblo/id9990000011' },
    response: { data: { ...exampleApp, seedHooks: exampleHooks } },
  },
});

export const listApps = defineRoute({
  id: 'listApps',
  method: 'GET',
  path: '/apps',
  service: 'content',
  auth: 'key',
  scopes: ['apps:read'],
  summary: 'List apps, newest first',
  description: 'Without `seedHooks`; read one app to get them.',
  query: body(pageQuery),
  status: 200,
  response: list(App),
  errors: [],
  example: { response: listExample(exampleApp) },
});

export const getApp = defineRoute({
  id: 'getApp',
  method: 'GET',
  path: '/apps/{id}',
  service: 'content',
  auth: 'key',
  scopes: ['apps:read'],
  summary: 'Get one app with its seed hooks',
  description: '`seedHooks` are the hooks that were derived when the app was imported.',
  params: idParams('app', exampleIds.app),
  status: 200,
  response: single(App),
  errors: ['not_found'],
  example: { response: { data: { ...exampleApp, seedHooks: exampleHooks } } },
});
