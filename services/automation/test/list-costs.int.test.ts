/**
 * No filter of the list of firings reads all of an automation's rows: pages read, as Postgres counts them.
 */
import { openFilledDatabase } from '@hookline/testing/count-pages';
import { perSuite } from '@hookline/testing/per-suite';
import { expect, it } from 'vitest';
import { type FiringFilter, listFirings } from '../src/firings/queries.ts';

const database = perSuite(
  () =>
    openFilledDatabase(`
  set search_path to automation;
  insert into automations (id, account_id, app_id, tiktok_account_id, format, posting_times, timezone, approval_mode,
      posting_mode, status, created_at, updated_at)
    values ('auto', 'acct', 'app', 'tik', 'slideshow', '[]', 'UTC', 'manual', 'drafts', 'paused', now(), now());
  insert into firings (id, automation_id, account_id, slot, status, approval_mode, content_id, reason, created_at, updated_at)
    select 'fire' || n, 'auto', 'acct', now() + n * interval '1 minute',
      case when n < 9 then (array['skipped', 'failed'])[n % 2 + 1] else 'done' end, 'manual', 'cont' || n,
      case when n < 9 then 'x' end, now() + n * interval '1 minute', now()
    from generate_series(1, 30000) n;`),
  120_000,
);

// 30,000 firings that are done, each with a content; the few of another status are the oldest.

it.each<FiringFilter>([
  {},
  { status: 'done' },
  { status: 'failed' },
  { contentId: 'cont3' },
  { contentId: 'cont4', status: 'done' },
])('the firings with %j cost under 30 pages', async filter => {
  const page = { limit: 20, after: null, isPaged: true };
  expect(await database.pagesOf(sql => listFirings(sql, 'auto', { ...filter, page }))).toBeLessThan(30);
});
