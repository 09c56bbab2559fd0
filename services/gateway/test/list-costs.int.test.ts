/** No filter of the audit log reads all rows, nor does what waits for a Monday: pages read, as Postgres counts them. */
import type { Transaction } from '@hookline/shared/postgres';
import { openFilledDatabase } from '@hookline/testing/count-pages';
import { perSuite } from '@hookline/testing/per-suite';
import { expect, it } from 'vitest';
import { listAudit, listNewestAudit } from '../src/identity/audit/queries.ts';
import { claimMail } from '../src/identity/mail/queries.ts';
import { lockDueWeek } from '../src/identity/week/queries.ts';

// 30,000 decisions of one key; the ten rows of another actor and kind are the oldest. A Monday of 30,000 workspaces.
const database = perSuite(
  () =>
    openFilledDatabase(`
  set search_path to gateway;
  insert into audit_events (id, account_id, at, actor_kind, actor_id, action, subject_kind, detail)
    select 'audit_' || n, 'acct_many', now(), 'key', case when n <= 10 then 'user_rare' else 'key_often' end,
      case when n <= 10 then 'policy.changed' when n % 2 = 0 then 'content.approved' else 'content.rejected' end,
      'workspace', '{}'
    from generate_series(1, 30000) n;
  insert into mails (id, kind, recipient, subject_id, due_at, created_at)
    select 'mail_' || n, 'week', n || '@example.com', 'acct_' || n, now(), now() from generate_series(1, 30000) n;
  insert into workspaces (account_id, name, week_mail_at, created_at, updated_at)
    select 'acct_' || n, '', now(), now(), now() from generate_series(1, 30000) n;`),
  120_000,
);

it.each([
  {},
  { action: 'policy' },
  { action: 'policy.changed' },
  { action: 'content' },
  { action: 'content.rejected' },
  { action: 'webhook' },
  { actorId: 'user_rare' },
  { actorId: 'key_often' },
  { actorId: 'nobody' },
])('a page of the audit log with %j costs under 30 pages', async filter => {
  const newest = await database.pagesOf(sql =>
    listNewestAudit(sql, 'acct_many', { before: Number.MAX_SAFE_INTEGER, limit: 20, ...filter }),
  );
  const oldest = await database.pagesOf(sql =>
    listAudit(sql, 'acct_many', { after: 0, limit: 20, ...filter }),
  );
  expect(Math.max(newest, oldest)).toBeLessThan(30);
});

it('a mail is claimed at under 60 pages, and a workspace for its week at under 30', async () => {
  const now = new Date();
  expect(await database.pagesOf(sql => claimMail(sql, now, now))).toBeLessThan(60);
  expect(await database.pagesOf(sql => lockDueWeek(sql as Transaction, now))).toBeLessThan(30);
});
