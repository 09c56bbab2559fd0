/** No filter of a list reads all rows of an account: pages read, as Postgres counts them. */
import { dayMs } from '@hookline/shared/kernel/durations';
import { openFilledDatabase } from '@hookline/testing/count-pages';
import { perSuite } from '@hookline/testing/per-suite';
import { expect, it } from 'vitest';
import { listSchedules, listSchedulesByTime, type ScheduleFilter } from '../src/schedules/queries.ts';

const database = perSuite(
  () =>
    openFilledDatabase(`
  set search_path to scheduling;
  insert into creators (open_id) values ('o'), ('r');
  insert into platform_accounts (id, account_id, open_id, username, display_name, status, scopes,
      access_token_sealed, refresh_token_sealed, connected_at, created_at, updated_at)
    values ('p', 'sent', 'o', 'u', 'U', 'connected', '{}', 'x', 'x', now(), now(), now()),
      ('q', 'sent', 'r', 'v', 'V', 'connected', '{}', 'x', 'x', now(), now(), now());
  insert into schedules (id, account_id, platform_account_id, content_id, content_version, status, outcome, failure, mode,
      scheduled_for, title, description, is_title_given, is_description_given, disable_comment, brand_organic,
      branded_content, ai_generated, auto_add_music, consented_at, is_immediate, created_at, updated_at, external_id)
    select account || n, account, case n when 50 then 'q' else 'p' end, 'c' || account || case when n < 9 then n else 0 end, 1, status,
      case when status = 'sent' then 'sent_to_drafts' end,
      case when status = 'failed' then '{"code": "x", "message": "x", "category": "internal", "retryable": false}'::jsonb end, 'draft',
      now() + n * interval '1 minute', 'T', 'D', true, true, false, false, false, true, true, now(), false, now() + n * interval '1 second', now(),
      case when n < 9 then 'row ' || n end
    from (select account, n, case when n < 9 then (array['pending', 'sending', 'sent', 'failed'])[n % 4 + 1] else account end as status
      from (values ('sent'), ('failed')) as accounts (account), generate_series(1, 30000) n) made;`),
  120_000,
);

// 30,000 schedules per account, sent in one and failed in the other; the few of another status are the
// oldest.

const pagesOf = (accountId: string, filter: ScheduleFilter): Promise<number> =>
  database.pagesOf(sql =>
    listSchedules(sql, { ...filter, accountId }, { limit: 20, after: null, isPaged: true }),
  );

it.each<[string, ScheduleFilter]>(
  ['sent', 'failed'].flatMap((account): [string, ScheduleFilter][] => [
    [account, {}],
    ...['pending', 'sending', 'sent', 'failed'].map((status): [string, ScheduleFilter] => [
      account,
      { status },
    ]),
    [account, { contentId: `c${account}1` }],
    [account, { contentId: `c${account}2`, status: 'sent' }],
    [account, { tiktokAccountId: 'p' }],
    [account, { tiktokAccountId: 'q' }],
    [account, { externalId: 'row 1' }],
  ]),
)('the schedules of %s with %j cost under 30 pages', async (accountId, filter) => {
  expect(await pagesOf(accountId, filter)).toBeLessThan(30);
});

it.each<ScheduleFilter>([{}, { tiktokAccountId: 'p' }, { tiktokAccountId: 'q' }, { status: 'sent' }])(
  'the schedules of a month with %j cost under 30 pages',
  async filter => {
    const from = new Date(Date.now() + 20 * dayMs);
    const until = new Date(from.getTime() + 30 * dayMs);
    const page = { limit: 20, after: null, isPaged: true };
    const pages = await database.pagesOf(sql =>
      listSchedulesByTime(sql, { ...filter, accountId: 'sent', from, until }, page),
    );
    expect(pages).toBeLessThan(30);
  },
);
