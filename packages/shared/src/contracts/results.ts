/** What became of decks: their numbers, and what decks with something in common brought. */
import { z } from 'zod';
import { count, Maker, timestamp } from './answer-fields.ts';
import { single } from './envelope.ts';
import { exampleIds, exampleMaker, laterTime } from './examples.ts';
import { body, idParams, integer, timestampInput } from './fields.ts';
import { defineRoute } from './route.ts';

const service = { service: 'analytics', auth: 'key' } as const;

const unknownOrCount = count.nullable().meta({ description: 'Null: not known.' });
export const DeckResults = z
  .object({
    views: count,
    likes: unknownOrCount,
    comments: unknownOrCount,
    shares: unknownOrCount,
    saves: unknownOrCount,
    at: timestamp.meta({ description: 'When the numbers were read.' }),
    source: z.enum(['entered']).meta({ description: '`entered`: `by` a person or a key.' }),
    by: Maker.nullable(),
  })
  .meta({ id: 'DeckResults' });
export type DeckResults = z.infer<typeof DeckResults>;

const exampleNumbers = { views: 1200, likes: 96, comments: 7, shares: 12, saves: 41 };
const exampleResults: DeckResults = {
  ...exampleNumbers,
  at: laterTime,
  source: 'entered',
  by: exampleMaker,
};

export const getResults = defineRoute({
  ...service,
  id: 'getResults',
  method: 'GET',
  path: '/content/{id}/results',
  scopes: ['content:read'],
  summary: 'Get what a deck brought',
  description: 'The newest numbers of an approved deck, or null. 404 for a deck that was never approved.',
  params: idParams('content', exampleIds.content),
  status: 200,
  response: single(DeckResults.nullable()),
  errors: ['not_found'],
  example: { response: { data: exampleResults } },
});

const number = () => integer(0, Number.MAX_SAFE_INTEGER, 'must be an integer from 0');

export const enterResults = defineRoute({
  ...service,
  id: 'enterResults',
  method: 'POST',
  path: '/content/{id}/results',
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
  errors: ['not_found'],
  idempotency: 'honoured',
  example: { body: exampleNumbers, response: { data: exampleResults } },
});
