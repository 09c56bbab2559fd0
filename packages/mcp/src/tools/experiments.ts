import { exampleIds } from '@hookline/shared/contracts/examples';
import {
  type Experiment,
  experimentsMax,
  listExperiments as listRoute,
  type StartedExperiment,
  startExperiment as startRoute,
} from '@hookline/shared/contracts/experiments';
import { addDeckPost } from '@hookline/shared/contracts/results';
import { z } from 'zod';
import { ask } from '../api.ts';
import { again, args, defineTool, reads, writes } from '../tool.ts';
import { id } from './lists.ts';

const deckId = id('the deck (content)', exampleIds.content);
const { hooks, against, readAfterHours } = startRoute.body.shape;

export const compareHooks = defineTool({
  ...writes,
  name: 'compare_hooks',
  title: 'Compare hooks on purpose',
  description:
    'Copies a deck with one or two other hooks, or names other decks of the app, to compare the views of two or three hooks; before any is posted. Each copy costs 1 credit and waits until a person approves it. Then schedule each on another account.',
  scopes: ['content:write'],
  input: args({
    deckId,
    hooks: hooks.meta({ description: 'The hooks of the copies.', examples: [['Too tired for habits?']] }),
    against: against.meta({ description: 'Other decks of the app.', examples: [[exampleIds.content]] }),
    readAfterHours: readAfterHours.meta({
      description: 'How many hours after each post its views count.',
      examples: [48],
    }),
    ...again,
  }),
  output: z.object({
    experimentId: z.string(),
    decks: z.array(z.object({ deckId: z.string(), hook: z.string() })),
  }),
  run: async ({ deckId: deck, idempotencyKey: _, ...body }, { api, once }) => {
    const path = `/content/${encodeURIComponent(deck)}/experiment`;
    const { data } = await ask<{ data: StartedExperiment }>(api, 'POST', path, body, once);
    const decks = data.decks.map(({ contentId, hook }) => ({ deckId: contentId, hook }));
    return { record: { experimentId: data.id, decks } };
  },
});

export const listExperiments = defineTool({
  ...reads,
  name: 'list_experiments',
  title: 'List the experiments with hooks',
  description: `Answers the newest ${experimentsMax} experiments of compare_hooks, how many views each post had, and a verdict in words. Costs nothing.`,
  scopes: ['analytics:read'],
  input: args({}),
  output: z.object({
    experiments: z.array(
      z.object({
        id: z.string(),
        isFinal: z.boolean(),
        verdict: z.string(),
        posts: z.array(z.object({ deckId: z.string(), hook: z.string(), views: z.number().nullable() })),
      }),
    ),
  }),
  run: async (_, { api }) => {
    const { data } = await ask<{ data: Experiment[] }>(api, 'GET', listRoute.path);
    const experiments = data.map(({ id, isFinal, verdict, posts }) => ({
      ...{ id, isFinal, verdict },
      posts: posts.map(({ contentId, hook, views }) => ({ deckId: contentId, hook, views })),
    }));
    return { record: { experiments } };
  },
});

export const addPost = defineTool({
  ...writes,
  name: 'add_post',
  title: 'Register a post elsewhere',
  description:
    'Registers the post of an approved deck on YouTube or Instagram, so that its views are read. A repeat changes nothing. Costs nothing.',
  reachesOutside: true,
  scopes: ['content:write'],
  input: args({
    deckId,
    url: addDeckPost.body.shape.url.meta({
      description: 'The https address of the post.',
      examples: ['https://youtu.be/dQw4w9WgXcQ'],
    }),
  }),
  output: z.object({ postId: z.string(), platform: z.string() }),
  run: async ({ deckId: deck, url }, { api, once }) => {
    const path = `/content/${encodeURIComponent(deck)}/posts`;
    const { data } = await ask<{ data: { id: string; platform: string } }>(api, 'POST', path, { url }, once);
    return { record: { postId: data.id, platform: data.platform } };
  },
});
