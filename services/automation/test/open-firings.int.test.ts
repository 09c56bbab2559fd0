import { openTestDatabase } from '@hookline/testing/database';
import { perSuite } from '@hookline/testing/per-suite';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import { beforeAll, expect, it } from 'vitest';
import { findStalledSeconds } from '../src/firings/queries.ts';

const database = perSuite(createMigratedDatabase);
const db = perSuite(() => openTestDatabase(database.roleUrl('automation'), 1));

const now = new Date('2026-11-20T12:00:00.000Z');

beforeAll(async () => {
  await db.query(
    `insert into automations (id, account_id, app_id, tiktok_account_id, format, posting_times, timezone,
       approval_mode, posting_mode, created_at, updated_at)
     values ('auto', 'acct', 'app', 'tik', 'slideshow', '[]', 'UTC', 'manual', 'drafts', $1, $1)`,
    [now],
  );
});

async function insert(status: string, count: number, createdHoursAgo: number, changedHoursAgo: number) {
  await db.query(
    `insert into firings (id, automation_id, account_id, slot, status, approval_mode, created_at, updated_at)
     select $1 || n, 'auto', 'acct', $3::timestamptz - $4 * interval '1 hour' + n * interval '1 s', $1, 'manual',
       $3::timestamptz - $4 * interval '1 hour', $3::timestamptz - $5 * interval '1 hour'
     from generate_series(1, $2::int) n`,
    [status, count, now, createdHoursAgo, changedHoursAgo],
  );
}

it('a firing without content shows its age, behind any number of decks that wait for a person', async () => {
  await insert('awaiting_approval', 600, 48, 48);
  await insert('done', 10, 72, 48);
  expect(await findStalledSeconds(db, now)).toBe(0);
  // Its cause was published again half an hour ago, which counts as a change.
  await insert('fired', 1, 3, 0.5);
  expect(await findStalledSeconds(db, now)).toBe(3 * 3_600);
});
