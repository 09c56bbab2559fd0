/** What automations ask for: no account waits for the many requests of another, and nothing is posted twice. */

import { newId } from '@hookline/shared/kernel';
import type { Transaction } from '@hookline/shared/postgres';
import { openFilledDatabase } from '@hookline/testing/count-pages';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { describe, expect, it } from 'vitest';
import { wakeRequests } from '../src/channels.ts';
import {
  claimScheduleRequest,
  insertScheduleRequest,
  type ScheduleRequest,
} from '../src/requests/queries.ts';
import { startWorld, type World } from './world.ts';

const world = perSuite(() => startWorld({ timings: { callTimeoutMs: 1_000 } }));

/** The request of one firing, for content that was made for it. */
function requestOf(
  { caller, account }: Awaited<ReturnType<World['ready']>>,
  mode: ScheduleRequest['mode'],
): Omit<ScheduleRequest, 'tries'> {
  const [automationId, firingId] = [newId('automation'), newId('firing')];
  const { id } = world.content.addDeck(caller.accountId, { origin: { automationId, firingId } });
  return {
    ...{ firingId, automationId, contentId: id, accountId: caller.accountId, platformAccountId: account.id },
    ...{ scheduledFor: new Date(), mode, privacyLevel: mode === 'publish' ? 'SELF_ONLY' : null },
    ...{ scheduleId: newId('schedule'), requestId: null, keyIds: [] },
  };
}

const ask = (requests: readonly Omit<ScheduleRequest, 'tries'>[]): Promise<void> =>
  world.service.db.transaction(async tx => {
    for (const request of requests) await insertScheduleRequest(tx, request, new Date());
    wakeRequests(tx);
  });

it('a draft is scheduled within seconds while the platform hangs for a hundred posts of another account', async () => {
  const [many, one] = [await world.ready(), await world.ready()];
  // The platform answers 20 such calls a minute and account.
  const accounts = await Promise.all(Array.from({ length: 10 }, () => world.connect(many.caller)));
  const { db } = world.service;
  // The accounts' options must be read again, and no answer comes in time.
  await db.query('update platform_accounts set checked_at = null where account_id = $1', [
    many.caller.accountId,
  ]);
  await world.setFaults({ operation: 'creator_info', kind: 'slow', delayMs: 5_000 });
  const posts = accounts.flatMap(account =>
    Array.from({ length: 10 }, () => requestOf({ ...many, account }, 'publish')),
  );
  await ask(posts);
  const draft = requestOf(one, 'draft');
  await ask([draft]);
  await eventually(async () => {
    const rows = await db.query('select 1 from schedules where id = $1', [draft.scheduleId]);
    expect(rows).toHaveLength(1);
  }, 10_000);
  const [left] = await db.query<{ count: number }>(
    'select count(*) from schedule_requests where account_id = $1 and tries = 0',
    [many.caller.accountId],
  );
  expect(left!.count).toBeGreaterThan(0);
  await db.query('delete from schedule_requests where account_id = $1', [many.caller.accountId]);
  expect((await world.over(one.caller, draft.scheduleId)).status).toBe('sent');
}, 60_000);

describe('a request that comes after its content was posted by hand', () => {
  const rejections = (firingId: string): { code: string }[] =>
    world.service.published
      .filter(({ headers, value }) => headers.ce_type === 'schedule.rejected' && value.includes(firingId))
      .map(({ value }) => JSON.parse(value));

  it('a request for content that a person has posted is rejected with already_sent; a person may post it twice', async () => {
    const ready = await world.ready();
    const request = requestOf(ready, 'draft');
    const { contentId, platformAccountId: tiktokAccountId } = request;
    for (let time = 0; time < 2; time += 1) {
      const { body } = await world.schedule(ready.caller, { contentId, tiktokAccountId });
      expect((await world.over(ready.caller, body.data.id)).status).toBe('sent');
    }
    await ask([request]);
    await eventually(() =>
      expect(rejections(request.firingId)).toMatchObject([{ code: 'already_sent', contentId }]),
    );
    expect(await world.posts(ready.username)).toHaveLength(2);
  });

  it('a request for content whose post has an unknown outcome is rejected with already_sent', async () => {
    const ready = await world.ready();
    const request = requestOf(ready, 'draft');
    const { contentId, platformAccountId: tiktokAccountId } = request;
    const { body } = await world.schedule(ready.caller, { contentId, tiktokAccountId });
    expect((await world.over(ready.caller, body.data.id)).status).toBe('sent');
    await world.service.db.query(
      `update schedules set status = 'failed', outcome = null, failure = '{"code": "outcome_unknown"}' where id = $1`,
      [body.data.id],
    );
    await ask([request]);
    await eventually(() => expect(rejections(request.firingId)).toMatchObject([{ code: 'already_sent' }]));
    expect(await world.posts(ready.username)).toHaveLength(1);
  });

  it('a request for content that was posted to another account is posted', async () => {
    const ready = await world.ready();
    const other = await world.connect(ready.caller);
    const request = requestOf(ready, 'draft');
    const { contentId } = request;
    const { body } = await world.schedule(ready.caller, { contentId, tiktokAccountId: other.id });
    expect((await world.over(ready.caller, body.data.id)).status).toBe('sent');
    await ask([request]);
    await eventually(async () => expect(await world.posts(ready.username)).toHaveLength(1));
  });
});

it('a request outlasts that the platform limits the question for the options of its account', async () => {
  const ready = await world.ready();
  await world.service.db.query('update platform_accounts set checked_at = null where id = $1', [
    ready.account.id,
  ]);
  await world.setFaults({ operation: 'creator_info', kind: 'rate_limit_exceeded', times: 1 });
  const request = requestOf(ready, 'publish');
  await ask([request]);
  expect((await world.over(ready.caller, request.scheduleId)).status).toBe('sent');
});

it('a claim reads few rows, whatever the number that waits or was answered', async () => {
  const filled = await openFilledDatabase(`
    set search_path to scheduling;
    insert into schedule_requests (firing_id, account_id, automation_id, content_id, platform_account_id, scheduled_for,
        mode, schedule_id, due_at, turn, created_at)
      select 'firing_' || n, 'account_' || n % 2, 'a', 'c', 'p', now(), 'draft', 's' || n,
        case when n % 10 = 0 then now() - n * interval '1 ms' end, n, now()
      from generate_series(1, 50000) n;`);
  try {
    expect(await filled.pagesOf(sql => claimScheduleRequest(sql, 60_000))).toBeLessThan(100);
    const request = { ...requestOf(await world.ready(), 'draft'), accountId: 'account_1' };
    expect(
      await filled.pagesOf(sql => insertScheduleRequest(sql as Transaction, request, new Date())),
    ).toBeLessThan(100);
  } finally {
    await filled.close();
  }
}, 60_000);
