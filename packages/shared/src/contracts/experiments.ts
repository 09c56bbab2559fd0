/** Hooks of one deck against each other, as named before any of the posts. */
import { z } from 'zod';
import { answerInteger, answerList, count, idField, record, textField, timestamp } from './answer-fields.ts';
import { list, single } from './envelope.ts';
import { exampleIds, exampleTime, listExample } from './examples.ts';
import { arrayOf, body, filledText, idParams, idText, integer, pageQuery } from './fields.ts';
import { DeckComparison } from './results.ts';
import { analyticsRoute, contentRoute } from './route.ts';

/** Limits of `against` and of `hooks`. */
const othersMax = 119;
const copiesMax = 2;
/** The newest experiments that are listed where no page is asked for. */
export const experimentsMax = 10;

export const Experiment = record('Experiment', {
  id: idField,
  appId: idField,
  readAfterHours: answerInteger(24, 720),
  createdAt: timestamp,
  posts: answerList(
    z.object({
      contentId: idField,
      hook: textField,
      views: count.nullable().meta({
        description: 'By the first reading `readAfterHours` or more after the post. Null: there is none yet.',
      }),
      leftOut: z.enum(['edited', 'rejected', 'same_deck', 'lone_post']).nullable().meta({
        description:
          'Why its views do not count. `edited`: since the start. `rejected`: and never posted. `same_deck`: the account had these slides within 90 days before. `lone_post`: the account has no other post to compare it with.',
      }),
    }),
    othersMax + copiesMax + 1,
  ),
  isFinal: z.boolean().meta({
    description:
      'Each post has its views or is left out, fewer than two hooks are left, or 90 days have passed. Nothing is judged before.',
  }),
  hooks: answerList(DeckComparison, 3).meta({
    description: 'The hooks against each other, the best first, once `isFinal`.',
  }),
  decksNeeded: count.meta({
    description: 'Decks of each hook by which a twofold difference shows in half of all cases.',
  }),
  verdict: textField.meta({ description: 'The outcome in a sentence or two.' }),
});
export type Experiment = z.infer<typeof Experiment>;

const other = `${exampleIds.content.slice(0, -1)}q`;
const exampleExperiment: Experiment = {
  id: exampleIds.experiment,
  appId: exampleIds.app,
  readAfterHours: 48,
  createdAt: exampleTime,
  posts: [
    { contentId: exampleIds.content, hook: '5 habits for a bad day', views: null, leftOut: null },
    { contentId: other, hook: 'Too tired for habits?', views: null, leftOut: null },
  ],
  isFinal: false,
  hooks: [],
  decksNeeded: 38,
  verdict: '2 of 2 posts have no views of 48 h yet.',
};

const StartedExperiment = Experiment.pick({ id: true, appId: true, readAfterHours: true, createdAt: true })
  .extend({
    decks: answerList(z.object({ contentId: idField, hook: textField }), othersMax + copiesMax + 1).meta({
      description: 'The deck in the path, those of `against`, then the copies.',
    }),
  })
  .meta({ id: 'StartedExperiment' });
export type StartedExperiment = z.infer<typeof StartedExperiment>;

export const startExperiment = contentRoute('POST /content/{id}/experiment', {
  scopes: ['content:write'],
  summary: 'Compare hooks on purpose (1 credit for each copy)',
  description:
    'Names which decks are compared, two or three hooks between them, and after how many hours their views are read, before any is posted. `hooks` makes copies of the deck that differ by nothing else, and wait for approval. Each deck must be `ready`, not rejected, and takes part in one experiment. Post them as usual, each copy on another account: 409 `already_scheduled` where the account has the same slides within 90 days.',
  params: idParams('content', exampleIds.content),
  body: body({
    hooks: arrayOf(filledText(300), 1, copiesMax, 'hooks')
      .optional()
      .meta({ description: 'Makes a copy of the deck with each.' }),
    against: arrayOf(idText(), 1, othersMax, 'ids of other decks of the app').optional(),
    readAfterHours: integer(24, 720),
  })
    .refine(({ hooks, against }) => hooks !== undefined || against !== undefined, {
      error: 'must have hooks or against',
    })
    .meta({ id: 'StartExperiment' }),
  status: 201,
  response: single(StartedExperiment),
  errors: [
    'not_found',
    'not_ready',
    'already_sending',
    'already_sent',
    'insufficient_credits',
    'missing_idempotency_key',
  ],
  idempotency: 'required',
  example: {
    body: { hooks: ['Too tired for habits?'], readAfterHours: 48 },
    response: {
      data: {
        id: exampleIds.experiment,
        appId: exampleIds.app,
        readAfterHours: 48,
        createdAt: exampleTime,
        decks: exampleExperiment.posts.map(({ contentId, hook }) => ({ contentId, hook })),
      },
    },
  },
});

export const listExperiments = analyticsRoute('GET /analytics/experiments', {
  scopes: ['analytics:read'],
  summary: 'List the experiments with hooks, and what they say',
  description: 'Newest first. Without `limit` or `cursor` the newest 10.',
  query: body(pageQuery),
  response: list(Experiment),
  example: { response: listExample(exampleExperiment) },
});
