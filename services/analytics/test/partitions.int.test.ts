import { dayMs } from '@hookline/shared/kernel/durations';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { describe, expect, it } from 'vitest';
import { freshId, measured, session, startWorld } from './world.ts';

const world = perSuite(startWorld);

async function partitions(): Promise<string[]> {
  const rows = await world.service.db.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits
     where inhparent = 'metric_snapshots'::regclass order by 1`,
  );
  return rows.map(row => row.name.replace('metric_snapshots_', ''));
}

describe('metric_snapshots', () => {
  it('has partitions of this month and the next two, made ahead', async () => {
    await eventually(async () => expect(await partitions()).toEqual(['2026_11', '2026_12', '2027_01']));
  });

  it('is made by several processes at once without a fault', async () => {
    const months = Array.from({ length: 6 }, () => '2030-02-17');
    const made = await Promise.all(
      months.map(month =>
        world.service.db.query<{ made: boolean }>('select ensure_snapshot_partition($1) as made', [month]),
      ),
    );
    expect(made.map(rows => rows[0]?.made).filter(Boolean)).toHaveLength(1);
    expect(await partitions()).toContain('2030_02');
  });

  it('is append-only, for every role', async () => {
    const caller = session();
    const id = freshId();
    await world.put('youtube', id, { views: 1 });
    await world.register(caller, { videoId: 'kept', platformPostId: id });
    await measured(world, caller, 'kept', { views: 1 });
    await expect(world.service.db.query('update metric_snapshots set views = 2')).rejects.toThrow(
      'append-only',
    );
    await expect(world.service.db.query('delete from metric_snapshots')).rejects.toThrow('append-only');
  });

  it('takes a snapshot in a month whose partition was not created ahead', async () => {
    const caller = session();
    const id = freshId();
    await world.put('youtube', id, { views: 5 });
    world.advance(400 * dayMs);
    await world.register(caller, { videoId: 'far', platformPostId: id });
    await measured(world, caller, 'far', { views: 5 });
    expect(await partitions()).toContain('2027_12');
  });

  it('is not read by anything that the API answers: history and totals outlive a month that is taken off', async () => {
    const caller = session();
    const id = freshId();
    await world.put('youtube', id, { views: 8 });
    await world.register(caller, {
      videoId: 'old',
      platformPostId: id,
      publishedAt: world.now().toISOString(),
    });
    await measured(world, caller, 'old', { views: 8 });
    const before = [await world.video(caller, 'old'), await world.summary(caller)];
    await world.service.db.query(`select detach_snapshot_partitions('2029-01-01')`);
    expect(await partitions()).toEqual(['2030_02']);
    expect([await world.video(caller, 'old'), await world.summary(caller)]).toEqual(before);
  });
});
