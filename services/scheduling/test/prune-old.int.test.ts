import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { describe, expect, it } from 'vitest';
import { startWorld } from './world.ts';

const world = perSuite(() => startWorld({ role: 'api' }));

const count = async (table: string, where: string): Promise<number> => {
  const [row] = await world.service.db.query<{ n: number }>(
    `select count(*) as n from ${table} where ${where}`,
  );
  return row!.n;
};

describe('the worker that removes old rows', () => {
  it('pruning removes what can never matter again, over more than a batch, and keeps the rest', async () => {
    const { db } = world.service;
    await db.query(
      `insert into schedule_requests (firing_id, account_id, automation_id, content_id, platform_account_id,
         scheduled_for, mode, schedule_id, due_at, created_at)
       select kind || n, 'acct', 'automation', 'content', 'account', now(), 'draft', 'schedule',
         case when kind = 'waiting' then now() + interval '1 day' end,
         now() - case when kind = 'fresh' then interval '59 days' else interval '61 days' end
       from generate_series(1, 2500) n, unnest(array['old', 'fresh', 'waiting']) kind
       where kind = 'old' or n <= 5`,
    );
    await db.query(
      `insert into connect_states (state_digest, account_id, redirect_uri, expires_at)
       select decode(lpad(to_hex(n), 64, '0'), 'hex'), 'acct', 'http://localhost',
         now() - case when n <= 1500 then interval '61 minutes' else interval '1 minute' end
       from generate_series(1, 1503) n`,
    );
    await db.query(
      `insert into platform_events (dedupe_key, event, open_id, received_at)
       select 'e' || n, 'post.publish.complete', 'o',
         now() - case when n <= 1500 then interval '8 days' else interval '6 days' end
       from generate_series(1, 1504) n`,
    );
    await db.query(`insert into creators (open_id) values ('o')`);
    await db.query(
      `insert into attempts (id, open_id, fence, state, media_digest, image_ids, started_at)
       select 'a' || n, 'o', 1, 'failed', decode(lpad(to_hex(n), 64, '0'), 'hex'), '{}',
         now() - case when n <= 1500 then interval '8 days' else interval '6 days' end
       from generate_series(1, 1505) n`,
    );
    // The world's own process only serves requests; this one works, and tidies when it starts.
    await world.startAnother();
    await eventually(async () => {
      expect(await count('schedule_requests', 'true')).toBe(10);
      expect(await count('connect_states', 'true')).toBe(3);
      expect(await count('platform_events', 'true')).toBe(4);
      expect(await count('attempts', 'true')).toBe(5);
    });
    expect(await count('schedule_requests', `firing_id like 'waiting%'`)).toBe(5);
    expect(await count('schedule_requests', `firing_id like 'fresh%'`)).toBe(5);
  });

  it('pruning finds its rows by an index', async () => {
    const { db } = world.service;
    await db.query(
      `insert into schedule_requests (firing_id, account_id, automation_id, content_id, platform_account_id,
         scheduled_for, mode, schedule_id, created_at)
       select 'many' || n, 'acct', 'automation', 'content', 'account', now(), 'draft', 'schedule', now()
       from generate_series(1, 20000) n`,
    );
    await db.query('analyze schedule_requests');
    const plan = await db.query<{ 'QUERY PLAN': string }>(
      `explain select firing_id from schedule_requests
       where created_at < now() - interval '60 days' and due_at is null order by created_at limit 1000`,
    );
    expect(plan.map(row => row['QUERY PLAN']).join('\n')).toContain('schedule_requests_by_age');
  });
});
