import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { describe, expect, it } from 'vitest';
import { inMs, type Json, startWorld, type World } from './world.ts';

const count = 15;

const world = perSuite(() =>
  startWorld({
    timings: { callTimeoutMs: 1_000, resendPausesMs: [1_000, 2_000], tryPauseMaxMs: 5_000 },
  }),
);

const mix = [
  { operation: 'content_init', kind: 'accepted_answer_dropped', share: 0.15 },
  { operation: 'content_init', kind: 'accepted_internal_error', share: 0.1 },
  { operation: 'content_init', kind: 'slow', share: 0.1, delayMs: 1_500 },
  { operation: 'content_init', kind: 'accepted_then_slow', share: 0.1, delayMs: 1_500 },
  { operation: 'content_init', kind: 'internal_error', share: 0.1 },
  { operation: 'pull', kind: 'late_pull', share: 0.3, delayMs: 700 },
  { operation: 'webhook', kind: 'duplicated', share: 0.2 },
  { operation: 'status_fetch', kind: 'internal_error', share: 0.2 },
];

describe('the chaos mix of the platform', () => {
  it(`${count} schedules make at most one post each and are all settled, whatever the platform does`, async () => {
    const another = await world.startAnother();
    const ready: Awaited<ReturnType<World['ready']>>[] = [];
    while (ready.length < count) ready.push(await world.ready(2));
    await world.setFaults(...mix);
    const scheduledFor = inMs(200);
    const made = await Promise.all(
      ready.map(({ caller, content, account }) =>
        world.schedule(caller, { contentId: content.id, tiktokAccountId: account.id, scheduledFor }),
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
      for (const { username } of ready) {
        const { counters } = await world.control('GET', `tiktok/accounts/${username}`);
        expect(counters.arrived + counters.failed).toBe(counters.accepted);
      }
    }, 10_000);
    for (const [at, schedule] of done.entries()) {
      const posts = await world.posts(ready[at]!.username);
      expect({ id: schedule.id, posts: posts.length }).toEqual({
        id: schedule.id,
        posts: schedule.status === 'sent' ? 1 : 0,
      });
    }
    expect(done.filter(schedule => schedule.status === 'sent').length).toBeGreaterThan(count * 0.8);
    await another.stop();
  }, 400_000);
});
