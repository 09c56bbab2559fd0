/** No filter of a list reads all rows of an account: pages read, as Postgres counts them. */
import { openFilledDatabase } from '@hookline/testing/count-pages';
import { perSuite } from '@hookline/testing/per-suite';
import { expect, it } from 'vitest';
import { type ContentFilter, countContents, listContents } from '../src/contents/queries.ts';
import { listDecksBefore } from '../src/contents/queries-before.ts';
import { claimQueuedContent } from '../src/jobs/queries.ts';

const database = perSuite(
  () =>
    openFilledDatabase(`
  set search_path to content;
  insert into apps select 'app' || n, 'acct', 'Pebblo', 'd', '{}', '{}', now(), now() from generate_series(1, 2) n;
  insert into contents (id, account_id, app_id, type, status, result, error_code, created_at, updated_at)
    select 'c' || n, 'acct', case when n <= 8 then 'app2' else 'app1' end, 'slideshow', status,
      case when status = 'ready' then '{}'::jsonb end, case when status = 'failed' then 'internal_error' end,
      now() + n * interval '1 second', now()
    from (select n, case when n > 8 then case when n > 15008 then 'failed' else 'ready' end
        else (array['queued', 'running', 'ready', 'failed'])[n % 4 + 1] end as status
      from generate_series(1, 30000) n) made;
  insert into contents (id, account_id, app_id, type, status, error_code, created_at, updated_at)
    select 'm' || n, 'mostly', 'app1', 'slideshow', 'failed', 'internal_error', now() + n * interval '1 second', now()
    from generate_series(1, 30000) n;
  insert into contents (id, account_id, app_id, type, status, waits, lease_until, created_at, updated_at)
    select 'w' || n, 'waiting', 'app1', 'slideshow', 'queued', 9, now() + interval '1 hour', now(), now()
    from generate_series(1, 6000) n;
  update contents set status = 'ready', result = '{}' where id = 'm1';
  update contents set approval_status = 'approved' where account_id = 'acct' and status = 'ready' and id not in ('c2', 'c6');
  update contents set changes_requested = '{}' where id = 'c2';
  update contents set is_scheduled = true where approval_status = 'approved' and id <> 'c10';
  update contents set origin_automation_id = 'a', origin_firing_id = id where account_id = 'mostly' and id <> 'm2';`),
  120_000,
);

// 30,000 contents of two apps. A few match each filter, and all the others are newer.

const pagesOf = (accountId: string, filter: ContentFilter): Promise<number> =>
  database.pagesOf(sql => listContents(sql, accountId, filter, { limit: 20, after: null, isPaged: true }));

it.each<[string, ContentFilter]>([
  ['acct', {}],
  ['acct', { status: 'queued' }],
  ['acct', { approvalStatus: 'approved', scheduled: 'false' }],
  ['acct', { approvalStatus: 'approved', scheduled: 'true' }],
  ['acct', { status: 'running' }],
  ['acct', { status: 'ready' }],
  ['acct', { status: 'failed' }],
  ['mostly', { status: 'ready' }],
  ['acct', { appId: 'app2' }],
  ['acct', { ids: 'c1,c2,c3,c4,c5' }],
  ['acct', { appId: 'app1', status: 'queued' }],
  ['acct', { appId: 'app1', status: 'ready' }],
  ['acct', { appId: 'app2', status: 'failed' }],
  ['acct', { approvalStatus: 'pending' }],
  ['acct', { changesRequested: 'true' }],
  ['acct', { approvalStatus: 'rejected' }],
  ['acct', { approvalStatus: 'approved', status: 'ready' }],
  ['acct', { approvalStatus: 'pending', appId: 'app1' }],
  ['acct', { approvalStatus: 'pending', origin: 'api' }],
  ['mostly', { origin: 'api' }],
  ['acct', { origin: 'automation' }],
])('the contents of %s with %j cost under 60 pages', async (accountId, filter) => {
  expect(await pagesOf(accountId, filter)).toBeLessThan(60);
});

it.each(['app1', 'app2'])('the earlier decks of %s cost under 60 pages', async appId => {
  const order = { accountId: 'acct', appId, since: new Date(0), automationId: null };
  expect(await database.pagesOf(sql => listDecksBefore(sql, order))).toBeLessThan(60);
});

it('claiming a deck reads none of those that wait for their next try', async () => {
  expect(await database.pagesOf(sql => claimQueuedContent(sql, 'attempt', 60_000))).toBeLessThan(100);
});

it('counts of an account read no more than their bound', async () => {
  const pages = (accountId: string) => database.pagesOf(sql => countContents(sql, accountId, 1_000));
  expect(await pages('acct')).toBeLessThan(60);
  expect(await pages('mostly')).toBeLessThan(60);
});
