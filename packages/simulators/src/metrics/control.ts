import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { withBody } from '../control/body.ts';
import type { World } from '../world.ts';

const units = z.int().min(0);

/** Absent fields keep their value. */
const YoutubeClientChange = z.strictObject({
  unitsPerDay: z
    .strictObject({ videos_list: units.optional(), batch_get_stats: units.optional() })
    .optional(),
  callsPerMinuteMax: z.int().min(0).nullable().optional(),
  hasBatchGetStats: z.boolean().optional(),
  spentToday: z.unknown().optional(),
});

const InstagramAccountChange = z.strictObject({
  username: z.unknown().optional(),
  revoked: z.boolean().optional(),
  hasInsights: z.boolean().optional(),
  tokenSeconds: z.int().min(1).optional(),
  callsPerDayMax: z.int().min(0).optional(),
});

/** Control routes for YouTube's quotas, Instagram's accounts and the recorded metrics calls. */
export function metricsControl(app: FastifyInstance, world: World): void {
  const { youtube, instagram, calls } = world.metrics;
  const client = () => ({ ...youtube.client(), spentToday: youtube.spentToday(world.now()) });
  app.get('/metric-calls', request => {
    const { platform } = request.query as Record<string, unknown>;
    return calls.list(typeof platform === 'string' && platform !== '' ? platform : null);
  });
  app.get('/youtube/client', client);
  app.put('/youtube/client', (request, reply) =>
    withBody(request, reply, YoutubeClientChange, change => {
      const known = youtube.client();
      youtube.change({
        unitsPerDay: { ...known.unitsPerDay, ...definedOf(change.unitsPerDay ?? {}) },
        callsPerMinuteMax:
          change.callsPerMinuteMax === undefined ? known.callsPerMinuteMax : change.callsPerMinuteMax,
        hasBatchGetStats: change.hasBatchGetStats ?? known.hasBatchGetStats,
      });
      return client();
    }),
  );
  app.get('/instagram/accounts/:username', request => instagram.find(usernameOf(request)));
  app.put('/instagram/accounts/:username', (request, reply) =>
    withBody(request, reply, InstagramAccountChange, ({ username: _, ...change }) => {
      instagram.put({ ...instagram.find(usernameOf(request)), ...definedOf(change) });
      return instagram.find(usernameOf(request));
    }),
  );
}

function usernameOf(request: FastifyRequest): string {
  return (request.params as { username: string }).username;
}

function definedOf<T extends object>(change: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
