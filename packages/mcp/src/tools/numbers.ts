import { AnalyticsSummary } from '@hookline/shared/contracts/analytics';
import { Credits } from '@hookline/shared/contracts/credits';
import { exampleIds } from '@hookline/shared/contracts/examples';
import {
  compareDecks as compareRoute,
  DeckComparison,
  DeckResults,
  enterResults as enterRoute,
} from '@hookline/shared/contracts/results';
import { z } from 'zod';
import { ask, queryOf } from '../api.ts';
import { args, defineTool, reads, writes } from '../tool.ts';
import { id, limit } from './lists.ts';

export const getCredits = defineTool({
  ...reads,
  name: 'get_credits',
  title: 'Read the credits',
  description:
    'Answers the balance of credits and how many decks may still be written today. A deck costs 1 credit. Costs nothing.',
  scopes: ['credits:read'],
  input: args({}),
  output: Credits,
  run: async (_, { api }) => ({
    record: (await ask<{ data: Record<string, unknown> }>(api, 'GET', '/credits')).data,
  }),
});

const windowDays = (preset: number) =>
  z
    .int({ error: 'must be an integer from 1 to 365' })
    .min(1)
    .max(365)
    .optional()
    .meta({ description: `Number of days, today included. Default ${preset}.`, examples: [7] });

export const getNumbers = defineTool({
  ...reads,
  name: 'get_numbers',
  title: 'Read what decks and posts brought',
  description:
    'Answers the views of decks posted in the last days, and views, likes and comments on Instagram and YouTube. Costs nothing.',
  scopes: ['analytics:read'],
  input: args({ windowDays: windowDays(30) }),
  output: AnalyticsSummary.omit({ decks: true }).loose(),
  run: async (query, { api }) => {
    const path = `/analytics/summary${queryOf(query)}`;
    return { record: (await ask<{ data: Record<string, unknown> }>(api, 'GET', path)).data };
  },
});

const deckId = id('the deck (content)', exampleIds.content);
const resultsPath = (deck: string) => `/content/${encodeURIComponent(deck)}/results`;
const kept = { views: true, likes: true, comments: true, shares: true, saves: true, at: true } as const;
const Results = z.object({ results: DeckResults.pick(kept).loose().nullable() });
type Answer = { data: DeckResults | null };

export const getResults = defineTool({
  ...reads,
  name: 'get_results',
  title: 'Read what a deck brought',
  description:
    'Answers the newest views, likes, comments, shares and saves of an approved deck, when they were read and who entered them, if not TikTok told them; null where none are known, as of private posts and posts by phone until enter_results. Costs nothing.',
  scopes: ['content:read'],
  input: args({ deckId }),
  output: Results,
  run: async ({ deckId: deck }, { api }) => ({
    record: { results: (await ask<Answer>(api, 'GET', resultsPath(deck))).data },
  }),
});

const total = (what: string) =>
  enterRoute.body.shape.likes.meta({ description: `${what}, all since it was posted.`, examples: [12] });

export const enterResults = defineTool({
  ...writes,
  name: 'enter_results',
  title: 'Enter what a deck brought',
  description:
    'Keeps the numbers of the post of an approved deck, as the platform shows them; leave out what you have not read. They replace those kept, unless those were read later. Costs nothing.',
  scopes: ['content:write'],
  input: args({
    deckId,
    views: enterRoute.body.shape.views.meta({
      description: 'Views, all since it was posted.',
      examples: [1200],
    }),
    likes: total('Likes'),
    comments: total('Comments'),
    shares: total('Shares'),
    saves: total('Saves'),
    at: z
      .string()
      .max(40)
      .optional()
      .meta({ description: 'When they were read. Default: now.', examples: ['2026-12-01T09:00:00Z'] }),
  }),
  output: Results,
  run: async ({ deckId: deck, ...entered }, { api }) => ({
    record: { results: (await ask<Answer>(api, 'POST', resultsPath(deck), entered)).data },
  }),
});

const ends = 10;

export const compareDecks = defineTool({
  ...reads,
  name: 'compare_decks',
  title: 'Compare what decks brought',
  description: `Answers which archetypes, templates, languages, weekdays and hours brought more views than the others, with an interval and a verdict, and the ${ends} best and ${ends} worst hooks. Write more of what is better; too_early says nothing. Costs nothing.`,
  scopes: ['analytics:read'],
  input: args({
    windowDays: windowDays(90),
    appId: id('the app', exampleIds.app).optional(),
    timezone: compareRoute.query.shape.timezone.meta({
      description: 'IANA zone of weekdays and hours. Default UTC.',
      examples: ['Europe/Berlin'],
    }),
  }),
  output: z.object({ rows: z.array(DeckComparison.omit({ contentIds: true })) }),
  run: async (query, { api }) => {
    const { data } = await ask<{ data: DeckComparison[] }>(api, 'GET', `/analytics/decks${queryOf(query)}`);
    const rows = data.map(({ contentIds: _, ...row }) => row);
    const hooks = rows.filter(({ of }) => of === 'hook');
    const others = rows.filter(({ of }) => of !== 'hook');
    const shown = hooks.filter((_, at) => at < ends || at >= hooks.length - ends);
    return { record: { rows: [...others, ...shown] } };
  },
});

const Event = z.object({
  id: z.string(),
  type: z.string(),
  timestamp: z.string(),
  subject: z.string().nullable(),
  status: z.string().nullable(),
});

type FeedEvent = {
  id: string;
  type: string;
  timestamp: string;
  data: { id?: string; status?: string; approvalStatus?: string };
};

export const recentEvents = defineTool({
  ...reads,
  name: 'recent_events',
  title: 'Read recent events',
  description:
    'Answers what happened last in the workspace, in its order: decks written and decided, posts sent or failed. Pass the cursor of the previous answer as after to get what came since. Costs nothing.',
  scopes: ['webhooks:write'],
  input: args({
    after: z
      .string()
      .max(200)
      .optional()
      .meta({ description: 'The cursor of the previous answer. Left out: the newest events.' }),
    limit,
  }),
  output: z.object({ events: z.array(Event), cursor: z.string() }),
  run: async ({ after, limit = 20 }, { api }) => {
    const path = `/events${queryOf(after === undefined ? { order: 'newest', limit } : { after, limit })}`;
    const { data, nextCursor } = await ask<{ data: FeedEvent[]; nextCursor: string }>(api, 'GET', path);
    const inOrder = after === undefined ? data.toReversed() : data;
    const events = inOrder.map(({ id, type, timestamp, data: subject }) => ({
      ...{ id, type, timestamp },
      subject: subject.id ?? null,
      status: (type.startsWith('content.') ? subject.approvalStatus : subject.status) ?? null,
    }));
    return { record: { events, cursor: nextCursor } };
  },
});
