import {
  App,
  BrandBody,
  CreateAppBody,
  type CreateAppBody as CreateAppInput,
  Picture,
} from '@hookline/shared/contracts/apps';
import { exampleIds } from '@hookline/shared/contracts/examples';
import { z } from 'zod';
import { ask, create, queryOf } from '../api.ts';
import { again, args, defineTool, reads, writes } from '../tool.ts';
import { id, type Page, paging, rows } from './lists.ts';

const brand = BrandBody.shape;
const fields = CreateAppBody.shape;
const listing = fields.listing.unwrap().shape;

export const listApps = defineTool({
  ...reads,
  name: 'list_apps',
  title: 'List apps',
  description: 'Lists the apps that decks are made for, newest first, with their ids. Costs nothing.',
  scopes: ['apps:read'],
  input: args(paging),
  output: rows(App.pick({ id: true, name: true, details: true })),
  run: async ({ limit = 20, cursor }, { api }) => {
    const { data, nextCursor } = await ask<Page<App>>(api, 'GET', `/apps${queryOf({ limit, cursor })}`);
    return { record: { rows: data.map(({ id, name, details }) => ({ id, name, details })), nextCursor } };
  },
});

export const listPictures = defineTool({
  ...reads,
  name: 'list_pictures',
  title: 'List the pictures of an app',
  description: 'Lists the pictures of an app, newest first. Costs nothing.',
  scopes: ['apps:read'],
  input: args({
    appId: id('the app', exampleIds.app),
    kind: Picture.shape.kind.optional().meta({ description: 'Default: all but slide.' }),
    cursor: paging.cursor,
  }),
  output: rows(Picture.pick({ id: true, kind: true, width: true, height: true })),
  run: async ({ appId, kind, cursor }, { api }) => {
    const path = `/apps/${encodeURIComponent(appId)}/pictures${queryOf({ limit: 50, kind, cursor })}`;
    const { data, nextCursor } = await ask<Page<Picture>>(api, 'GET', path);
    const toRow = ({ id, kind, width, height }: Picture) => ({ id, kind, width, height });
    return { record: { rows: data.map(toRow), nextCursor } };
  },
});

export const importApp = defineTool({
  ...writes,
  name: 'import_app',
  title: 'Import an app',
  description:
    'Adds an app from its App Store or Google Play link, or from a name and a description given by hand, and derives up to 15 hooks. Costs no credits, takes up to 30 s. A workspace has at most 100 apps. Pass either appStoreUrl and name, or name and description.',
  scopes: ['apps:write'],
  reachesOutside: true,
  input: args({
    name: z
      .string()
      .max(200)
      .meta({ description: 'What the app is called.', examples: ['Pebblo'] }),
    appStoreUrl: fields.appStoreUrl.meta({
      description: 'The App Store or Google Play page.',
      examples: ['https://apps.apple.com/us/app/pebblo/id9990000011'],
    }),
    description: listing.description
      .optional()
      .meta({ description: 'Instead of appStoreUrl: what the app does, 50 to 10,000 characters.' }),
    features: listing.features.meta({
      description: 'With description: what the app lets people do, one thing each.',
      examples: [['Track up to twelve habits']],
    }),
    category: listing.category.meta({ description: 'With description.', examples: ['Productivity'] }),
    ...again,
  }),
  output: App.pick({ id: true, name: true, details: true, seedHooks: true }),
  run: async ({ name, appStoreUrl, description, features, category }, { api, once }) => {
    const byHand = { name, description: description ?? '', features, category };
    const isByHand = description !== undefined || appStoreUrl === undefined;
    const body: CreateAppInput = {
      name,
      ...(appStoreUrl === undefined ? {} : { appStoreUrl }),
      ...(isByHand ? { listing: byHand } : {}),
    };
    const { record: app } = await create<App>(api, '/apps', body, once);
    const { id, details, seedHooks } = app;
    return { record: { id, name: app.name, details, ...(seedHooks && { seedHooks }) } };
  },
});

export const setBrand = defineTool({
  ...writes,
  name: 'set_brand',
  title: 'Set the brand of an app',
  description:
    'Sets colours, typefaces, handle, logo, sample captions and avoided words of an app for later decks. Fields that are left out stay; null clears one. Until a person accepts the change in the console, automations approve no deck that shows it. Costs nothing.',
  scopes: ['apps:write'],
  input: args({
    appId: id('the app', exampleIds.app),
    colors: brand.colors,
    logoImageId: brand.logoImageId,
    handle: brand.handle,
    fonts: brand.fonts.meta({ description: 'A pair of typefaces.' }),
    voice: brand.voice,
    avoidWords: brand.avoidWords,
  }),
  output: App.pick({ id: true, name: true, brand: true }),
  run: async ({ appId, ...change }, { api }) => {
    const path = `/apps/${encodeURIComponent(appId)}`;
    const { data } = await ask<{ data: App }>(api, 'PATCH', path, { brand: change });
    return { record: { id: data.id, name: data.name, brand: data.brand ?? null } };
  },
});
