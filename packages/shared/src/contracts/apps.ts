import { z } from 'zod';
import {
  answerInteger,
  answerList,
  answerText,
  count,
  idField,
  Maker,
  record,
  recordFields,
  textField,
  timestamp,
  urlField,
} from './answer-fields.ts';
import { Deleted, list, single } from './envelope.ts';
import {
  deletedExample,
  exampleIds,
  exampleMaker,
  exampleTime,
  laterTime,
  listExample,
  newRecord,
} from './examples.ts';
import {
  arrayOf,
  body,
  filledText,
  idParams,
  idText,
  oneOf,
  pageQuery,
  pathId,
  text,
  timestampInput,
} from './fields.ts';
import {
  exampleOwnFields,
  externalIdFilter,
  ownFields,
  ownFieldsChange,
  ownFieldsInput,
} from './own-fields.ts';
import { contentRoute } from './route.ts';

/** Pairs of typefaces that are bundled, headings and running text. */
export const fontPairNames = [
  'bricolage-inter',
  'anton-jakarta',
  'fraunces-newsreader',
  'manrope',
  'space-grotesk-inter',
] as const;

const colorError = 'must be a colour like #1a2b3c';
const color = z
  .string({ error: colorError })
  .max(7, colorError)
  .regex(/^#[0-9a-fA-F]{6}$/, colorError);

/** How an app's decks look and sound. `null` clears a field. */
export const BrandBody = body({
  colors: arrayOf(color, 2, 2, 'colours, background and accent').nullable().optional().meta({
    description: 'Background and accent, with a contrast of at least 4.5:1.',
  }),
  logoImageId: idText().nullable().optional().meta({
    description: 'A picture of the app, shown on the closing slide.',
  }),
  handle: filledText(50).nullable().optional().meta({ description: 'Shown on the closing slide.' }),
  fonts: oneOf(fontPairNames).nullable().optional(),
  voice: arrayOf(filledText(2200), 0, 3, 'texts').nullable().optional().meta({
    description: 'Sample captions that a text model imitates.',
  }),
  avoidWords: arrayOf(filledText(60), 0, 50, 'words').nullable().optional().meta({
    description: 'Words that generated texts never have. A hook that you give is not checked.',
  }),
})
  .refine(value => Object.keys(value).length > 0, {
    error: 'must have at least one of colors, logoImageId, handle, fonts, voice, avoidWords',
  })
  .meta({ id: 'BrandUpdate', minProperties: 1 });
export type BrandBody = z.infer<typeof BrandBody>;

export const Brand = record('Brand', {
  colors: answerList(answerText(7, '^#[0-9a-f]{6}$'), 2).nullable(),
  logoImageId: idField.nullable(),
  handle: textField.nullable(),
  fonts: z.enum(fontPairNames).nullable(),
  voice: answerList(textField, 3).nullable(),
  avoidWords: answerList(textField, 50).nullable(),
});

/** What of an app can be changed, each with a review of its own. */
export const reviewedItems = [
  'name',
  'listing',
  'brand.colors',
  'brand.logoImageId',
  'brand.handle',
  'brand.fonts',
  'brand.voice',
  'brand.avoidWords',
  'picture',
] as const;
const Unreviewed = record('UnreviewedItem', {
  item: z.enum(reviewedItems),
  pictureId: idField.optional().meta({ description: 'Only of a `picture`.' }),
  by: Maker,
  at: timestamp,
});
export type Unreviewed = z.infer<typeof Unreviewed>;

// The items but `picture`, and 50 pictures.
const unreviewedMax = reviewedItems.length - 1 + 50;

/** `contentCount` stops here. */
export const appContentCountMax = 1_000;

export const App = record('App', {
  ...recordFields,
  name: textField,
  details: textField.meta({ description: 'Description text derived for the app.' }),
  iconUrl: urlField.nullable().meta({
    description:
      'The logo of its brand, or else the icon of its store page, valid for 48 h at least. Null without either.',
  }),
  seedHooks: z
    .array(textField)
    .max(15)
    .optional()
    .meta({ description: 'Only in the responses of create and get.' }),
  brand: Brand.nullable().optional().meta({ description: 'Not in lists. Null when none was set.' }),
  contentCount: answerInteger(0, appContentCountMax)
    .optional()
    .meta({
      description: `Only in lists. How much of its content is \`ready\`; exact up to ${appContentCountMax.toLocaleString('en')}.`,
    }),
  pictureCount: count.optional().meta({ description: 'Only in lists. Uploads and screenshots.' }),
  unreviewed: answerList(Unreviewed, unreviewedMax).optional().meta({
    description:
      'Not in lists. What somebody who may not approve content changed, and nobody who may has reviewed: automations approve nothing that shows it.',
  }),
  ...ownFields,
});
export type App = z.infer<typeof App>;

const languageError = 'must be a BCP 47 language tag, such as en or pt-BR';

/** A listing given by hand, for an app that is in no store yet or whose store cannot be read. */
export const GivenListing = body({
  name: filledText(200),
  description: text(50, 10_000),
  category: filledText(100).optional(),
  features: arrayOf(filledText(300), 0, 30, 'features').optional().meta({
    description: 'What the app lets people do, one thing each.',
  }),
  language: z
    .string({ error: languageError })
    .max(35, languageError)
    .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, languageError)
    .optional()
    .meta({ description: 'Default: what the description is written in.' }),
}).meta({ id: 'Listing' });
export type GivenListing = z.infer<typeof GivenListing>;

export const CreateAppBody = body({
  name: filledText(200).optional().meta({
    description: 'Required with `appStoreUrl`. Default: the name in `listing`.',
  }),
  appStoreUrl: text(1, 2048)
    .optional()
    .meta({ examples: ['https://apps.apple.com/us/app/pebblo/id9990000011'] }),
  listing: GivenListing.optional(),
  ...ownFieldsInput,
})
  .refine(({ name, listing }) => name !== undefined || listing !== undefined, {
    path: ['name'],
    error: 'must be a text of 1 to 200 characters that is not blank',
  })
  .refine(({ appStoreUrl, listing }) => (appStoreUrl === undefined) !== (listing === undefined), {
    error: 'must have exactly one of appStoreUrl and listing',
  })
  .meta({
    id: 'CreateApp',
    oneOf: [{ required: ['name', 'appStoreUrl'] }, { required: ['listing'] }],
  });
export type CreateAppBody = z.infer<typeof CreateAppBody>;

export const UpdateAppBody = body({
  name: filledText(200).optional(),
  brand: BrandBody.nullable().optional(),
  ...ownFieldsChange,
})
  .refine(value => Object.keys(value).length > 0, {
    error: 'must have at least one of name, brand, externalId, metadata',
  })
  .meta({ id: 'UpdateApp', minProperties: 1 });
export type UpdateAppBody = z.infer<typeof UpdateAppBody>;

export const ReviewAppBody = body({
  items: arrayOf(
    body({
      item: oneOf(reviewedItems),
      pictureId: idText().optional(),
      at: timestampInput().optional().meta({
        description:
          'The time of the change that was looked at, as in `unreviewed`. 409 `not_ready` if it was changed since. Required where the approval policy asks for `version`.',
      }),
    }).refine(({ item, pictureId }) => (item === 'picture') === (pictureId !== undefined), {
      path: ['pictureId'],
      error: 'must be given for the item picture, and for no other',
    }),
    1,
    unreviewedMax,
    'items',
  ),
}).meta({ id: 'ReviewApp' });
export type ReviewAppBody = z.infer<typeof ReviewAppBody>;

const exampleApp: App = {
  id: exampleIds.app,
  ...newRecord,
  ...exampleOwnFields,
  name: 'Pebblo',
  details: 'A habit tracker that grows a stone garden, one small win a day.',
  iconUrl: `http://localhost:8080/media/images/${exampleIds.picture}?e=1795424400&s=3q2r`,
};
const exampleDetails = { brand: null, unreviewed: [] };
const exampleUnreviewed: Unreviewed = { item: 'brand.handle', by: exampleMaker, at: exampleTime };
const exampleHooks = ['5 habits that changed my mornings', 'Nobody told me small wins add up'];

export const createApp = contentRoute('POST /apps', {
  scopes: ['apps:write'],
  summary: 'Import an app from its store page',
  description:
    'Costs no credits. Takes exactly one of `appStoreUrl`, an App Store or Google Play address that is read, and `listing`, given by hand. Derives up to 15 hooks from it. A page that was read within the last 6 hours is not read again. An account has at most 100 apps.',
  body: CreateAppBody,
  status: 201,
  response: single(App),
  errors: ['store_unavailable'],
  waitsOutside: 'always',
  example: {
    body: { name: 'Pebblo', appStoreUrl: 'https://apps.apple.com/us/app/pebblo/id9990000011' },
    response: { data: { ...exampleApp, ...exampleDetails, seedHooks: exampleHooks } },
  },
});

export const listApps = contentRoute('GET /apps', {
  scopes: ['apps:read'],
  summary: 'List apps, newest first',
  description: 'Without `seedHooks`; read one app to get them.',
  query: body({ ...pageQuery, externalId: externalIdFilter }),
  response: list(App),
  example: { response: listExample(exampleApp) },
});

export const getApp = contentRoute('GET /apps/{id}', {
  scopes: ['apps:read'],
  summary: 'Get one app with its seed hooks',
  description:
    '`seedHooks` are the hooks that were derived from the listing, without those that have one of `brand.avoidWords`.',
  params: idParams('app', exampleIds.app),
  response: single(App),
  example: {
    response: {
      data: { ...exampleApp, ...exampleDetails, seedHooks: exampleHooks, unreviewed: [exampleUnreviewed] },
    },
  },
});

export const updateApp = contentRoute('PATCH /apps/{id}', {
  scopes: ['apps:write'],
  summary: 'Change an app',
  description:
    'Fields that are not given keep their value, those of `brand` too; `null` clears. Colours with a contrast below 4.5:1 are refused. Slides that were drawn before keep their look until an edit changes the text of one: then all of the deck are drawn again.',
  params: idParams('app', exampleIds.app),
  body: UpdateAppBody,
  response: single(App),
  example: {
    body: { name: 'Pebblo Habits', brand: { colors: ['#102a43', '#ffd166'], handle: '@pebblo.app' } },
    response: {
      data: {
        ...exampleApp,
        name: 'Pebblo Habits',
        updatedAt: laterTime,
        seedHooks: exampleHooks,
        brand: {
          colors: ['#102a43', '#ffd166'],
          logoImageId: null,
          handle: '@pebblo.app',
          fonts: null,
          voice: null,
          avoidWords: null,
        },
        unreviewed: [],
      },
    },
  },
});

export const refreshApp = contentRoute('POST /apps/{id}/refresh', {
  scopes: ['apps:write'],
  summary: 'Read the store page of an app again',
  description:
    'Replaces the listing, `details` and `seedHooks`; the name stays. Screenshots that the page no longer has are deleted once one that it has is there, except the logo and those that the brief of a recent content names; one that was deleted with `DELETE` is not fetched again. A page that was read within the last minute is not read again. 409 `invalid_request` for a listing that was given by hand.',
  params: idParams('app', exampleIds.app),
  response: single(App),
  errors: ['not_found', 'store_unavailable'],
  waitsOutside: 'always',
  example: {
    response: { data: { ...exampleApp, ...exampleDetails, updatedAt: laterTime, seedHooks: exampleHooks } },
  },
});

export const reviewApp = contentRoute('POST /apps/{id}/review', {
  scopes: ['content:approve'],
  summary: 'Accept what others changed in an app',
  description:
    'Ends the marks of the given items of `unreviewed`. One that is not there any more is passed over. The approval policy of the workspace applies as to a slideshow: it may ask for a person, for `at`, or for somebody who did not make the change. A mark also ends when a slideshow that shows the item is approved, but not by a review link: a picture, a name, or a handle, logo, fonts or colours that it was drawn with. No slideshow shows a whole listing, `brand.voice` or `brand.avoidWords`.',
  params: idParams('app', exampleIds.app),
  body: ReviewAppBody,
  response: single(App),
  errors: ['not_found', 'not_ready'],
  example: {
    body: { items: [{ item: 'brand.handle', at: exampleTime }] },
    response: { data: { ...exampleApp, ...exampleDetails, seedHooks: exampleHooks } },
  },
});

export const deleteApp = contentRoute('DELETE /apps/{id}', {
  scopes: ['apps:write'],
  summary: 'Delete an app',
  description:
    'Its contents stay readable; its automations make nothing any more. 409 `invalid_request` while a schedule of one of its contents waits.',
  params: idParams('app', exampleIds.app),
  response: single(Deleted),
  mayConflict: true,
  example: { response: deletedExample(exampleIds.app) },
});

export const pictureKinds = ['upload', 'screenshot', 'slide'] as const;
export const Picture = record('Picture', {
  ...recordFields,
  kind: z.enum(pictureKinds).meta({ description: '`slide`: finished, for the template `picture` alone.' }),
  width: count,
  height: count,
  bytes: count,
  contentType: answerText(64, '^image/(jpeg|png)$'),
  url: urlField,
});
export type Picture = z.infer<typeof Picture>;

const examplePicture: Picture = {
  id: exampleIds.picture,
  ...newRecord,
  kind: 'upload',
  width: 1620,
  height: 2160,
  bytes: 412_300,
  contentType: 'image/jpeg',
  url: `http://localhost:8080/media/images/${exampleIds.picture}?e=1795424400&s=3q2r`,
};

export const addPicture = contentRoute('POST /apps/{id}/pictures', {
  scopes: ['apps:write'],
  summary: 'Upload a picture of an app',
  description:
    'JPEG, PNG or WebP of at most 10 MB and 40 megapixels, as the field `file`. It is stored upright, without metadata, at most 2160 × 3840 px. An app has at most 50 pictures and its newest 500 slides. 415 `unsupported_image_format`, 413 `image_too_large`, 400 for one that cannot be decoded.',
  params: idParams('app', exampleIds.app),
  query: body({
    kind: oneOf(['upload', 'slide']).optional().meta({
      description:
        'Default `upload`. A `slide` is finished: it is kept at 1080 × 1920 px, whole, on black where its shape is another, and shown by the template `picture` alone.',
    }),
  }),
  // 10 MB and the headers of the parts.
  upload: { bytesMax: 10_000_000 + 16_384 },
  status: 201,
  response: single(Picture),
  example: { response: { data: examplePicture } },
});

export const listPictures = contentRoute('GET /apps/{id}/pictures', {
  scopes: ['apps:read'],
  summary: 'List the pictures of an app, newest first',
  description:
    'Uploaded ones, and the screenshots of the store page, which are fetched some seconds after the import. The links are signed and expire after 48 h.',
  params: idParams('app', exampleIds.app),
  query: body({
    ...pageQuery,
    kind: oneOf(pictureKinds).optional().meta({ description: 'Default: all but `slide`.' }),
  }),
  response: list(Picture),
  example: { response: listExample(examplePicture) },
});

export const deletePicture = contentRoute('DELETE /apps/{id}/pictures/{pictureId}', {
  scopes: ['apps:write'],
  summary: 'Delete a picture of an app',
  description: 'Slides that show it stay as they are. The logo becomes null.',
  params: z.object({
    id: pathId('app', exampleIds.app),
    pictureId: pathId('picture', exampleIds.picture),
  }),
  response: single(Deleted),
  example: { response: deletedExample(exampleIds.picture) },
});
