import type { ChildProcess } from 'node:child_process';
import { eventually } from '@hookline/testing/eventually';
import { endVictims, startVictim } from '@hookline/testing/victims';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { disagreements, freshId, session, startWorld, testTimings, type World } from './world.ts';

const posts = 400;
const timings = { ...testTimings, leaseMs: 1_500 };

let world: World;
beforeAll(async () => {
  // The killed processes use the machine's clock.
  world = await startWorld({ role: 'api', startMs: Date.now() });
});
afterAll(async () => {
  await endVictims();
  await world.stop();
});

function startCollector(): Promise<ChildProcess> {
  const options = { name: 'analytics', env: world.env, timings } as const;
  return startVictim(new URL('./victim.ts', import.meta.url), world.service, options);
}

async function kill(victim: ChildProcess): Promise<void> {
  const gone = new Promise(resolve => victim.once('exit', resolve));
  victim.kill('SIGKILL');
  await gone;
}

async function countOf(sql: string): Promise<number> {
  const [row] = await world.service.db.query<{ count: number }>(`select count(*) as count from ${sql}`);
  return row?.count ?? 0;
}

describe('a collector killed between its batches', () => {
  it('changes no total: every post is counted once, with its numbers, and none is lost', async () => {
    const caller = session();
    const ids = Array.from({ length: posts }, () => freshId());
    const register = async (id: string) => {
      await world.put('youtube', id, { views: ids.indexOf(id), likes: 1, comments: null });
      await world.register(caller, { videoId: id, platformPostId: id });
    };
    // More at once wait for a connection of the pool longer than it lets them on a slow machine.
    for (let at = 0; at < posts; at += 40) await Promise.all(ids.slice(at, at + 40).map(register));
    await world.setFaults({ platform: 'youtube', operation: 'batch_get_stats', kind: 'slow', delayMs: 300 });
    for (const [round, collected] of [1, 100, 200].entries()) {
      const victim = await startCollector();
      await eventually(
        async () => expect(await countOf('metric_snapshots')).toBeGreaterThanOrEqual(collected),
        20_000,
      );
      // Batches are in flight: some posts are claimed and not yet collected.
      await eventually(
        async () =>
          expect(await countOf('collections where lease_until > clock_timestamp()')).toBeGreaterThan(0),
        20_000,
      );
      await kill(victim);
      expect(await countOf('metric_snapshots'), `round ${round}`).toBeLessThan(posts);
      expect(await disagreements(world)).toEqual([]);
      const { totals } = await world.summary(caller);
      expect(totals.posts).toBe(posts);
      expect(totals.likes).toBe(await countOf('metric_snapshots'));
    }
    await world.setFaults();
    const heir = await startCollector();
    const views = ids.reduce((sum, _, index) => sum + index, 0);
    await eventually(
      async () =>
        expect((await world.summary(caller)).totals).toEqual({ views, likes: posts, comments: 0, posts }),
      20_000,
    );
    await kill(heir);
    expect(await countOf('metric_snapshots')).toBe(posts);
    expect(await disagreements(world)).toEqual([]);
  }, 120_000);
});
