import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { describe, expect, it } from 'vitest';
import { type Lane, type LaneName, laneOf } from './lanes.ts';
import { type Json, startWorld } from './world.ts';

const count = 15;

const world = perSuite(() =>
  startWorld({
    timings: { callTimeoutMs: 1_000, resendPausesMs: [1_000, 2_000], tryPauseMaxMs: 5_000 },
  }),
);

function mixOf(operation: string, share = 1) {
  const of = (kind: string, part: number) => ({ operation, kind, share: part * share, delayMs: 1_500 });
  const done = [of('accepted_answer_dropped', 0.15), of('accepted_internal_error', 0.1)];
  return [...done, of('slow', 0.1), of('accepted_then_slow', 0.1), of('internal_error', 0.1)];
}

const latePull = { operation: 'pull', kind: 'late_pull', share: 0.3, delayMs: 700 };
const mixes = {
  TikTok: [
    ...mixOf('content_init'),
    latePull,
    { operation: 'webhook', kind: 'duplicated', share: 0.2 },
    { operation: 'status_fetch', kind: 'internal_error', share: 0.2 },
  ],
  // It takes four calls to prepare a post of two slides, so each meets less. What is published has no second try.
  Instagram: [
    ...mixOf('media', 0.3),
    ...mixOf('media_publish').filter(({ kind }) => kind !== 'internal_error'),
    latePull,
    { operation: 'status', kind: 'internal_error', share: 0.05 },
  ],
};

describe('the chaos mix of the platform', () => {
  it.each<LaneName>(['TikTok', 'Instagram'])(
    `${count} schedules make at most one post each and are all settled, whatever %s does`,
    async on => {
      const lane = laneOf(world, on);
      const another = await world.startAnother();
      const ready: Awaited<ReturnType<Lane['ready']>>[] = [];
      while (ready.length < count) ready.push(await lane.ready(2));
      await lane.setFaults(...mixes[on]);
      const due = new Date(Date.now() + 200).toISOString();
      const made = await Promise.all(
        ready.map(({ caller, content, account }) =>
          world.schedule(caller, {
            ...{ contentId: content.id, tiktokAccountId: account.id, scheduledFor: due },
            ...lane.order,
          }),
        ),
      );
      // One after the other: polling all of them concurrently would itself be the load.
      const done: Json[] = [];
      for (const [at, { body }] of made.entries()) {
        const ended = await eventually(async () => {
          const one = await world.call(ready[at]!.caller, 'GET', `/v1/schedules/${body.data.id}`);
          expect(one.body.data.status, JSON.stringify(one.body.data)).toMatch(/sent|failed/);
          return one.body.data as Json;
        }, 200_000);
        done.push(ended);
      }
      // Every call that the platform accepted has ended, including the late pulls of fenced ones.
      await eventually(async () => {
        for (const { username } of on === 'TikTok' ? ready : []) {
          const { counters } = await world.control('GET', `tiktok/accounts/${username}`);
          expect(counters.arrived + counters.failed).toBe(counters.accepted);
        }
      }, 10_000);
      for (const [at, schedule] of done.entries()) {
        const posts = await lane.posts(ready[at]!.username);
        expect({ id: schedule.id, posts: posts.length }).toEqual({
          id: schedule.id,
          posts: schedule.status === 'sent' ? 1 : 0,
        });
      }
      expect(done.filter(schedule => schedule.status === 'sent').length).toBeGreaterThan(count * 0.8);
      await another.stop();
    },
    400_000,
  );
});
