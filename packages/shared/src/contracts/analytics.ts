import { z } from 'zod';
import {
  answerInteger,
  answerList,
  count,
  idField,
  record,
  recordFields,
  textField,
  timestamp,
} from './answer-fields.ts';
import { Deleted, list, single } from './envelope.ts';
import { deletedExample, exampleIds, exampleTime, laterTime, listExample, newRecord } from './examples.ts';
import {
  body,
  dayInput,
  filledText,
  idParams,
  idText,
  oneOf,
  pageQuery,
  queryInteger,
  statusFilter,
  timestampInput,
} from './fields.ts';
import { analyticsRoute } from './route.ts';

const day = z.string().register(z.globalRegistry, { format: 'date', maxLength: 10 });
const Numbers = z.object({ views: count, likes: count, comments: count, posts: count });

/** The decks with the most views that a summary names. */
export const bestMax = 20;
/** Most days of a window. */
const windowDaysMax = 365;

const known = count.nullable();
const deckNumbers = { views: count, likes: known, comments: known, shares: known, saves: known };

export const AnalyticsSummary = record('AnalyticsSummary', {
  windowDays: answerInteger(1, windowDaysMax),
  decks: z
    .object({
      posts: count,
      ...deckNumbers,
      days: answerList(z.object({ day, posts: count, views: count }), windowDaysMax).meta({
        description: 'The views by the UTC day of the post, oldest first; days without a post are left out.',
      }),
      best: answerList(
        z.object({
          contentId: idField,
          hook: textField,
          ...deckNumbers,
          postedAt: timestamp.meta({ description: 'Without a post by Hookline, when it was approved.' }),
          comparedFrom: timestamp.nullable().meta({
            description: 'Numbers read then or later are compared. Null: those kept are.',
          }),
        }),
        bestMax,
      ).meta({ description: 'The decks with the most views, at most 20.' }),
    })
    .meta({
      description:
        'Decks posted within the window whose numbers are known. Null: no deck has that number, or this one has not.',
    }),
  totals: Numbers,
  byPlatform: z.object({ instagram: Numbers, youtube: Numbers }),
  note: textField,
});
export type AnalyticsSummary = z.infer<typeof AnalyticsSummary>;

const platforms = ['instagram', 'youtube'] as const;
const exampleNumbers = { views: 1200, likes: 96, comments: 7 };
const exampleDeck = { ...exampleNumbers, shares: 12, saves: 41 };
const examplePost = { platform: 'youtube', platformPostId: 'dQw4w9WgXcQ' } as const;
const exampleVideo = { videoId: 'video-17', ...examplePost };

export const getAnalyticsSummary = analyticsRoute('GET /analytics/summary', {
  scopes: ['analytics:read'],
  summary: 'Get views, likes and comments for a period',
  description:
    'The latest numbers of decks, and of posts on Instagram and YouTube, published within the window, which ends today (UTC).',
  query: body({
    windowDays: queryInteger(1, windowDaysMax)
      .optional()
      .meta({ description: 'Number of days, including today. Default 30.' }),
  }),
  response: single(AnalyticsSummary),
  example: {
    response: {
      data: {
        windowDays: 30,
        decks: {
          posts: 1,
          ...exampleDeck,
          days: [{ day: '2026-11-21', posts: 1, views: 1200 }],
          best: [
            {
              contentId: exampleIds.content,
              hook: '5 habits for a bad day',
              ...exampleDeck,
              postedAt: exampleTime,
              comparedFrom: null,
            },
          ],
        },
        totals: { ...exampleNumbers, posts: 1 },
        byPlatform: {
          instagram: { views: 0, likes: 0, comments: 0, posts: 0 },
          youtube: { ...exampleNumbers, posts: 1 },
        },
        note: 'TikTok metrics are not yet included in `totals` and `byPlatform`.',
      },
    },
  },
});

const metricCounts = { views: count.nullable(), likes: count.nullable(), comments: count.nullable() };

export const VideoAnalytics = record('VideoAnalytics', {
  videoId: textField,
  posts: answerList(
    z.object({
      platform: z.enum(platforms),
      platformPostId: textField,
      ...metricCounts,
      publishedAt: timestamp.nullable(),
      collectedAt: timestamp.nullable(),
    }),
    100,
  ),
  totals: z.object({ views: count, likes: count, comments: count }),
  history: answerList(z.object({ day, views: count, likes: count, comments: count }), 3660),
});
export type VideoAnalytics = z.infer<typeof VideoAnalytics>;

export const getVideoAnalytics = analyticsRoute('GET /analytics/content/{videoId}', {
  scopes: ['analytics:read'],
  summary: 'Get the metrics of one video on every platform',
  description:
    'By the `videoId` given to `POST /analytics/posts`, or the id of the deck whose posts `POST /content/{id}/posts` named.',
  params: z.object({
    videoId: idText().meta({
      description: 'The id that the post was registered with.',
      examples: [exampleVideo.videoId],
    }),
  }),
  response: single(VideoAnalytics),
  example: {
    response: {
      data: {
        videoId: exampleVideo.videoId,
        posts: [{ ...examplePost, ...exampleNumbers, publishedAt: exampleTime, collectedAt: laterTime }],
        totals: exampleNumbers,
        history: [{ day: '2026-11-21', ...exampleNumbers }],
      },
    },
  },
});

export const PublishedPost = record('PublishedPost', {
  ...recordFields,
  videoId: textField,
  platform: z.enum(platforms),
  platformPostId: textField,
  publishedAt: timestamp.nullable(),
});
export type PublishedPost = z.infer<typeof PublishedPost>;

export const MeasuredPost = PublishedPost.extend({
  ...metricCounts,
  collectedAt: timestamp.nullable().meta({ description: 'Null until numbers are collected.' }),
}).meta({ id: 'MeasuredPost' });
export type MeasuredPost = z.infer<typeof MeasuredPost>;

export const listPosts = analyticsRoute('GET /analytics/posts', {
  scopes: ['analytics:read'],
  summary: 'List registered posts with their latest numbers, newest first',
  description: 'In the order in which they were registered. A number that the platform hides is null.',
  query: body({
    ...pageQuery,
    platform: oneOf(platforms).optional().meta({ description: 'Return only those of this platform.' }),
    videoId: idText().optional().meta({ description: 'Return only those of this video.' }),
  }),
  response: list(MeasuredPost),
  example: {
    response: listExample({
      id: exampleIds.post,
      ...newRecord,
      ...exampleVideo,
      publishedAt: exampleTime,
      ...exampleNumbers,
      collectedAt: laterTime,
    }),
  },
});

/** Most days in one series. */
export const seriesDaysMax = 366;

export const SeriesDay = record('SeriesDay', {
  day,
  views: count,
  likes: count,
  comments: count,
  posts: count.meta({ description: 'Posts published until the end of the day.' }),
});
export type SeriesDay = z.infer<typeof SeriesDay>;

export const getSeries = analyticsRoute('GET /analytics/series', {
  scopes: ['analytics:read'],
  summary: 'Get the numbers of all posts day by day',
  description:
    'One row for each UTC day, oldest first: running totals of all registered posts at the end of the day, so the difference of two rows is what was gained between them, with all that a post had when it was first measured. A day without a measurement repeats the numbers before it; days after today are left out.',
  query: body({
    from: dayInput()
      .optional()
      .meta({ description: 'First day. Default: 29 days before `to`.', examples: ['2026-11-01'] }),
    to: dayInput()
      .optional()
      .meta({ description: 'Last day. Default: today.', examples: ['2026-11-21'] }),
    platform: oneOf(platforms).optional().meta({ description: 'Count only posts of this platform.' }),
  }),
  response: single(answerList(SeriesDay, seriesDaysMax)),
  example: { response: { data: [{ day: '2026-11-21', ...exampleNumbers, posts: 1 }] } },
});

export const registerPost = analyticsRoute('POST /analytics/posts', {
  auth: 'session',
  roles: ['owner', 'approver', 'editor'],
  summary: 'Register a published post for measurement',
  description: 'An Instagram post needs a connected source.',
  body: body({
    videoId: filledText(64),
    platform: oneOf(platforms),
    platformPostId: filledText(128),
    publishedAt: timestampInput().optional(),
  }).meta({ id: 'RegisterPost' }),
  status: 201,
  response: single(PublishedPost),
  example: {
    body: exampleVideo,
    response: {
      data: { id: exampleIds.post, ...newRecord, ...exampleVideo, publishedAt: exampleTime },
    },
  },
});

export const sourceStatuses = ['connected', 'needs_reauth'] as const;

export const MetricSource = record('MetricSource', {
  ...recordFields,
  platform: z.literal('instagram'),
  username: textField,
  status: z.enum(sourceStatuses),
});
export type MetricSource = z.infer<typeof MetricSource>;

const exampleSource: z.infer<typeof MetricSource> = {
  id: exampleIds.source,
  ...newRecord,
  platform: 'instagram',
  username: 'maya.makes',
  status: 'connected',
};

// A token is sent in a header, so characters that a header cannot contain are refused first.
function tokenText() {
  const error = 'must be a token of 1 to 4096 characters: visible ASCII, no spaces';
  return z
    .string({ error })
    .regex(/^[\x21-\x7e]{1,4096}$/, error)
    .register(z.globalRegistry, { maxLength: 4096 });
}

export const createSource = analyticsRoute('POST /analytics/sources', {
  auth: 'session',
  roles: ['owner'],
  summary: 'Connect an Instagram account as a source of metrics',
  description:
    'The token needs the permissions instagram_business_basic and instagram_business_manage_insights. It is verified at the platform, stored encrypted and refreshed.',
  body: body({ platform: oneOf(['instagram']), accessToken: tokenText() }).meta({ id: 'CreateSource' }),
  status: 201,
  response: single(MetricSource),
  waitsOutside: 'always',
  example: {
    body: { platform: 'instagram', accessToken: 'IGQVJexample' },
    response: { data: exampleSource },
  },
});

export const listSources = analyticsRoute('GET /analytics/sources', {
  auth: 'session',
  summary: 'List metric sources, newest first',
  description: 'The tokens are not included.',
  query: body({ ...pageQuery, status: statusFilter(sourceStatuses) }),
  response: list(MetricSource),
  example: { response: listExample(exampleSource) },
});

export const deleteSource = analyticsRoute('DELETE /analytics/sources/{id}', {
  auth: 'session',
  roles: ['owner'],
  summary: 'Delete a metric source',
  description: 'Its stored token is deleted.',
  params: idParams('source', exampleIds.source),
  response: single(Deleted),
  example: { response: deletedExample(exampleIds.source) },
});
