import { detachEndedPartitions } from '@hookline/analytics/ops';
import { ensureSnapshotPartition } from '@hookline/analytics/testing';
import { openTestDatabase } from '@hookline/testing/database';
import { perSuite } from '@hookline/testing/per-suite';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import { beforeAll, describe, expect, it } from 'vitest';
import { detachSnapshots } from './detach-snapshots.ts';

const now = new Date('2026-11-21T12:00:00Z');
const database = perSuite(createMigratedDatabase);
const db = perSuite(() => openTestDatabase(database.roleUrl('analytics'), 3));
let lines: string[] = [];

beforeAll(async () => {
  for (const month of ['2026-08', '2026-09', '2026-10', '2026-11']) {
    await ensureSnapshotPartition(db, new Date(`${month}-01T00:00:00Z`));
    await db.query('insert into metric_snapshots (post_id, collected_at, views) values ($1, $2, 1)', [
      `post_${month}`,
      `${month}-15T00:00:00Z`,
    ]);
  }
});

function run(keepMonths: string, isCheck = false): Promise<boolean> {
  lines = [];
  return detachSnapshots(
    { DATABASE_URL: database.url },
    { keepMonths, isCheck },
    line => lines.push(line),
    now,
  );
}

const countSnapshots = async () =>
  (await db.query<{ rows: number }>('select count(*) as rows from metric_snapshots'))[0]?.rows;

describe('npm run ops -- detach-snapshots', () => {
  it('--check reports and changes nothing', async () => {
    await run('3', true);
    expect(lines).toEqual(['analytics.metric_snapshots_2026_08 would be detached']);
    expect(await countSnapshots()).toBe(4);
  });

  it('takes off the months before those that are kept; their rows stay in tables of their own', async () => {
    await run('2');
    expect(lines).toEqual([
      'analytics.metric_snapshots_2026_08 is a separate table now',
      'analytics.metric_snapshots_2026_09 is a separate table now',
    ]);
    expect(await countSnapshots()).toBe(2);
    const admin = openTestDatabase(database.url, 1);
    const rows = await admin.query('select post_id from analytics.metric_snapshots_2026_09');
    await admin.close();
    expect(rows).toEqual([{ post_id: 'post_2026-09' }]);
  });

  it('repeated it finds nothing, and collecting goes on', async () => {
    await run('2');
    expect(lines).toEqual(['No month before 2026-10 is attached.']);
    await db.query(`insert into metric_snapshots (post_id, collected_at) values ('post_later', $1)`, [now]);
  });

  it('gives up when a collector holds on for long, and changes nothing', async () => {
    await db.transaction(async tx => {
      await tx.query('select 1 from metric_snapshots limit 1');
      await expect(detachEndedPartitions(db, now)).rejects.toMatchObject({ code: '55P03' });
    });
    expect(await countSnapshots()).toBe(3);
  });
});
