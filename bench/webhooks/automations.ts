/** Many automations that are due together. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Stack } from './stack.ts';

/**
 * @returns seconds from the slot until every firing is committed and its event has left the outbox for the
 * bus
 */
export async function timeDueTogether(stack: Stack, count: number): Promise<number> {
  const { db } = stack;
  const slot = new Date(Math.ceil((Date.now() + 5_000) / 60_000) * 60_000);
  await db.query(
    `insert into automation.automations (id, account_id, app_id, tiktok_account_id, format, posting_times, timezone, brief,
       approval_mode, posting_mode, status, next_fire_at, created_at, updated_at)
     select 'automation_bench_' || n, 'acct_bench_' || n % 1000, 'product_bench', 'account_bench',
       'slideshow', jsonb_build_array(jsonb_build_object('time', $3::text, 'days', '["mon","tue","wed","thu","fri","sat","sun"]'::jsonb)),
       'UTC', '{"templateId":"quote-card"}', 'manual', 'drafts', 'active', $1, now(), now()
     from generate_series(1, $2::int) as n`,
    [slot, count, slot.toISOString().slice(11, 16)],
  );
  // The plan was written without the service, so this sends the service's own notification.
  await db.query(`select pg_notify('automation_plan', '')`);
  const until = slot.getTime() + 120_000;
  for (;;) {
    const [row] = await db.query<{ fired: number; waiting: number }>(
      `select (select count(*) from automation.firings where slot = $1)::int as fired,
         (select count(*) from automation.outbox)::int as waiting`,
      [slot],
    );
    if (row?.fired === count && row.waiting === 0) return (Date.now() - slot.getTime()) / 1_000;
    if (Date.now() > until)
      throw new Error(`${row?.fired} of ${count} fired, ${row?.waiting} wait for the bus`);
    await wait(20);
  }
}
