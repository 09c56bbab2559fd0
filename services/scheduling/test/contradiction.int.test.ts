/** A refusal although a slide was pulled: from a proxy, or a mistake of the platform. */

import { openTestDatabase } from '@hookline/testing/database';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { beforeAll, expect, it } from 'vitest';
import { type Json, startWorld } from './world.ts';

const world = perSuite(() => startWorld({ timings: { settleWithinMs: 1_500 } }));

beforeAll(async () => {
  // Every attempt is pulled as soon as it is written: before any answer.
  const superuser = openTestDatabase(world.service.database.url, 1);
  await superuser.query(
    `create function scheduling.pull_at_once() returns trigger language plpgsql as
     $$ begin new.pulled_at = now(); return new; end $$`,
  );
  await superuser.query(
    `create trigger pull_at_once before insert on scheduling.attempts
     for each row execute function scheduling.pull_at_once()`,
  );
  await superuser.close();
});

it.each(['access_token_invalid', 'rate_limit_exceeded', 'spam_risk_too_many_posts'])(
  'is not believed (%s): no second call, and no failure that invites a new try',
  async kind => {
    const { caller, content, account, username } = await world.ready(2);
    await world.setFaults({ operation: 'content_init', kind, times: 1 });
    const created = await world.schedule(caller, {
      contentId: content.id,
      tiktokAccountId: account.id,
      scheduledFor: new Date(Date.now() + 20).toISOString(),
    });
    const { id } = created.body.data;
    const entries = await eventually(async () => {
      const { body } = await world.call(caller, 'GET', `/v1/schedules/${id}`);
      const whats: string[] = body.data.timeline.map((row: Json) => row.what);
      expect(whats).toContain('unconfirmed');
      return whats;
    });
    expect(entries).not.toContain('refused');
    const done = await world.over(caller, id);
    expect(done.failure).toMatchObject({ code: 'outcome_unknown', retryable: false });
    expect(await world.control('GET', `init-requests?account=${username}`)).toHaveLength(1);
  },
);
