/** What became of decks: their numbers, and what decks with something in common brought. */
import { z } from 'zod';
import { PublishedPost } from './analytics.ts';
import { answerList, count, idField, Maker, record, textField, timestamp } from './answer-fields.ts';
import { single } from './envelope.ts';
import { exampleIds, exampleMaker, laterTime, newRecord } from './examples.ts';
import {
  body,
  filledText,
  idFilter,
  idParams,
  integer,
  queryInteger,
  timestampInput,
  zoneInput,
} from './fields.ts';
import { analyticsRoute } from './route.ts';

const unknownOrCount = count.nullable().meta({ description: 'Null: not known.' });
export const DeckResults = record('DeckResults', {
  views: count,
  likes: unknownOrCount,
  comments: unknownOrCount,
  shares: unknownOrCount,
  saves: unknownOrCount,
  at: timestamp.meta({ description: 'When the numbers were read.' }),
  source: z.enum(['entered', 'tiktok']).meta({
    description: '`entered`: `by` a person or a key. `tiktok`: told by TikTok, which does not tell saves.',
  }),
  by: Maker.nullable(),
});
export type DeckResults = z.infer<typeof DeckResults>;

const exampleNumbers = { views: 1200, likes: 96, comments: 7, shares: 12, saves: 41 };
const exampleResults: DeckResults = {
  ...exampleNumbers,
  at: laterTime,
  source: 'entered',
  by: exampleMaker,
};

export const getResults = analyticsRoute('GET /content/{id}/results', {
  scopes: ['content:read'],
  summary: 'Get what a deck brought',
  description:
    'The newest numbers of the first post of an approved deck, or null. TikTok tells those of public posts where the account allows it (`video.list`); those of private posts and of posts by phone are null until somebody enters them. 404 for a deck that was never approved.',
  params: idParams('content', exampleIds.content),
  response: single(DeckResults.nullable()),
  example: { response: { data: exampleResults } },
});

const number = () => integer(0, Number.MAX_SAFE_INTEGER, 'must be an integer from 0');

export const enterResults = analyticsRoute('POST /content/{id}/results', {
  scopes: ['content:write'],
  summary: 'Enter what a deck brought',
  description:
    'The running totals of the post of an approved deck, as the platform shows them. They replace those kept; numbers that were read before those kept change nothing. Answers what is kept.',
  params: idParams('content', exampleIds.content),
  body: body({
    views: number(),
    likes: number().optional(),
    comments: number().optional(),
    shares: number().optional(),
    saves: number().optional(),
    at: timestampInput().optional().meta({ description: 'When the numbers were read. Default: now.' }),
  }).meta({ id: 'EnterResults' }),
  status: 201,
  response: single(DeckResults),
  example: { body: exampleNumbers, response: { data: exampleResults } },
});

export const addDeckPost = analyticsRoute('POST /content/{id}/posts', {
  scopes: ['content:write'],
  summary: 'Name the post of a deck on YouTube or Instagram',
  description:
    'Its numbers are read from then on; `GET /analytics/content/{videoId}` has them under the id of the deck. An Instagram post must be of a connected source.',
  params: idParams('content', exampleIds.content),
  body: body({ url: filledText(500).meta({ description: 'The address of the post.' }) }).meta({
    id: 'AddDeckPost',
  }),
  status: 201,
  response: single(PublishedPost),
  waitsOutside: 'always',
  example: {
    body: { url: 'https://www.youtube.com/shorts/dQw4w9WgXcQ' },
    response: {
      data: {
        id: exampleIds.post,
        ...newRecord,
        videoId: exampleIds.content,
        ...{ platform: 'youtube', platformPostId: 'dQw4w9WgXcQ', publishedAt: null },
      },
    },
  },
});

/** The newest decks of the window that are compared. */
export const comparedMax = 500;
/** The window that nobody chose otherwise. */
export const comparedDays = 90;
/** The best hooks that are answered, and the worst. */
export const hooksMax = 20;
/** The decks of a row that are named. */
export const namedMax = 20;

export const DeckComparison = record('DeckComparison', {
  of: z.enum(['hook', 'form', 'archetype', 'template', 'language', 'weekday', 'hour']),
  value: textField.meta({
    description:
      'What these decks have in common: `monday`, `09`; as the form of a hook `number` or `question` for what it has, else `short`, up to 8 words, or `long`.',
  }),
  decks: count,
  views: count,
  typicalViews: count.meta({ description: 'Views of a typical deck of them, at a typical account.' }),
  lift: z.number().meta({
    description:
      'How many times the views of all other decks these get, by an estimate that is drawn towards 1 the fewer they are.',
  }),
  low: z.number().meta({
    description: '`low` to `high` holds the true lift; of all such intervals of one kind, 95 % of the time.',
  }),
  high: z.number(),
  verdict: z.enum(['better', 'worse', 'no_difference', 'too_early']).meta({
    description:
      '`better`, `worse`: the interval leaves out 1. `no_difference`: it leaves out 0.5 and 2. `too_early`: fewer than 5 decks, fewer than 500 views, or the interval says nothing.',
  }),
  contentIds: answerList(idField, namedMax).meta({ description: 'The newest 20 of these decks.' }),
});
export type DeckComparison = z.infer<typeof DeckComparison>;

export const compareDecks = analyticsRoute('GET /analytics/decks', {
  scopes: ['analytics:read'],
  summary: 'Compare what decks brought, by hook, its form, archetype, template, language, weekday and hour',
  description:
    'Compares the newest 500 decks of the window whose numbers were read 24 h or more after the post. Private posts and posts by phone count once their numbers are entered. Each value has one row, the best of each kind first; hooks have the 20 best and the 20 worst.',
  query: body({
    windowDays: queryInteger(1, 365)
      .optional()
      .meta({ description: 'Number of days, including today. Default 90.' }),
    appId: idFilter('app'),
    timezone: zoneInput().optional().meta({ description: 'The zone of weekdays and hours. Default UTC.' }),
  }),
  response: single(answerList(DeckComparison, 200)),
  example: {
    response: {
      data: [
        {
          of: 'archetype',
          value: 'listicle',
          decks: 41,
          views: 98_400,
          typicalViews: 1900,
          lift: 1.9,
          low: 1.21,
          high: 2.98,
          verdict: 'better',
          contentIds: [exampleIds.content],
        },
      ],
    },
  },
});
