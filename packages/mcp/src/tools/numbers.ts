import { AnalyticsSummary } from '@hookline/shared/contracts/analytics';
import { Credits } from '@hookline/shared/contracts/credits';
import { z } from 'zod';
import { ask, queryOf } from '../api.ts';
import { args, defineTool, reads } from '../tool.ts';
import { limit } from './lists.ts';

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

export const getNumbers = defineTool({
  ...reads,
  name: 'get_numbers',
  title: 'Read views, likes and comments',
  description:
    'Answers views, likes and comments on Instagram and YouTube for the last days. TikTok is not included. Costs nothing.',
  scopes: ['analytics:read'],
  input: args({
    windowDays: z
      .int({ error: 'must be an integer from 1 to 365' })
      .min(1)
      .max(365)
      .optional()
      .meta({ description: 'Number of days, today included. Default 30.', examples: [7] }),
  }),
  output: AnalyticsSummary,
  run: async ({ windowDays }, { api }) => {
    const path = `/analytics/summary${queryOf({ windowDays })}`;
    return { record: (await ask<{ data: Record<string, unknown> }>(api, 'GET', path)).data };
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
