import { z } from 'zod';
import { IdParams } from './apps.ts';
import { Deleted, list, single } from './envelope.ts';
import {
  body,
  filledText,
  idText,
  oneOf,
  pageQuery,
  queryInteger,
  recordFields,
  timestamp,
  timestampInput,
} from './fields.ts';
import { defineRoute } from './route.ts';

const Numbers = z.object({ views: z.int(), likes: z.int(), comments: z.int(), posts: z.int() });

export const AnalyticsSummary = z
  .object({
    windowDays: z.int(),
    totals: Numbers,
    byPlatform: z.object({ instagram: Numbers, youtube: Numbers }),
    note: z.string(),
  })
  .meta({ id: 'AnalyticsSummary' });
export type AnalyticsSummary = z.infer<typeof AnalyticsSummary>;

const platforms = ['instagram', 'youtube'] as const;
const service = { service: 'analytics' } as const;

export const getAnalyticsSummary = defineRoute({
  ...service,
  id: 'getAnalyticsSummary',
  method: 'GET',
  path: '/analytics/summary',
  auth: 'key',
  scopes: ['analytics:read'],
  summary: 'Views, likes and comments of the window',
  query: body({ windowDays: queryInteger(1, 365).optional() }),
  status: 200,
  response: single(AnalyticsSummary),
  errors: [],
});

const metricCounts = { views: z.int().nullable(), likes: z.int().nullable(), comments: z.int().nullable() };

export const getVideoAnalytics = defineRoute({
  ...service,
  id: 'getVideoAnalytics',
  method: 'GET',
  path: '/analytics/content/{videoId}',
  auth: 'key',
  scopes: ['analytics:read'],
  summary: 'Numbers of one video on every platform',
  params: z.object({ videoId: idText() }),
  status: 200,
  response: single(
    z.object({
      videoId: z.string(),
      posts: z.array(
        z.object({
          platform: z.enum(platforms),
          platformPostId: z.string(),
          ...metricCounts,
          publishedAt: timestamp().nullable(),
          collectedAt: timestamp().nullable(),
        }),
      ),
      totals: z.object({ views: z.int(), likes: z.int(), comments: z.int() }),
      history: z.array(z.object({ day: z.string(), views: z.int(), likes: z.int(), comments: z.int() })),
    }),
  ),
  errors: ['not_found'],
});

export const PublishedPost = z
  .object({
    ...recordFields,
    videoId: z.string(),
    platform: z.enum(platforms),
    platformPostId: z.string(),
    publishedAt: timestamp().nullable(),
  })
  .meta({ id: 'PublishedPost' });

export const registerPost = defineRoute({
  ...service,
  id: 'registerPost',
  method: 'POST',
  path: '/analytics/posts',
  auth: 'session',
  scopes: [],
  summary: 'Register a published post to be measured',
  body: body({
    videoId: filledText(64),
    platform: oneOf(platforms),
    platformPostId: filledText(128),
    publishedAt: timestampInput().optional(),
  }).meta({ id: 'RegisterPost' }),
  status: 201,
  response: single(PublishedPost),
  errors: [],
  idempotency: 'honoured',
});

export const sourceStatuses = ['connected', 'needs_reauth'] as const;

export const MetricSource = z
  .object({
    ...recordFields,
    platform: z.literal('instagram'),
    username: z.string(),
    status: z.enum(sourceStatuses),
  })
  .meta({ id: 'MetricSource' });

// A token travels in a header: what no header can carry is refused before anything is asked.
function tokenText() {
  const error = 'must be a token of 1 to 4096 characters: visible ASCII, no spaces';
  return z.string({ error }).regex(/^[\x21-\x7e]{1,4096}$/, error);
}

export const createSource = defineRoute({
  ...service,
  id: 'createSource',
  method: 'POST',
  path: '/analytics/sources',
  auth: 'session',
  scopes: [],
  summary: 'Connect an Instagram account as a source of numbers',
  body: body({ platform: oneOf(['instagram']), accessToken: tokenText() }).meta({ id: 'CreateSource' }),
  status: 201,
  response: single(MetricSource),
  errors: [],
  idempotency: 'honoured',
});

export const listSources = defineRoute({
  ...service,
  id: 'listSources',
  method: 'GET',
  path: '/analytics/sources',
  auth: 'session',
  scopes: [],
  summary: 'List sources of numbers, newest first',
  query: body({ ...pageQuery, status: oneOf(sourceStatuses).optional() }),
  status: 200,
  response: list(MetricSource),
  errors: [],
});

export const deleteSource = defineRoute({
  ...service,
  id: 'deleteSource',
  method: 'DELETE',
  path: '/analytics/sources/{id}',
  auth: 'session',
  scopes: [],
  summary: 'Remove a source',
  params: IdParams,
  status: 200,
  response: single(Deleted),
  errors: ['not_found'],
});
