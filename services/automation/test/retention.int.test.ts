import type * as contracts from '@hookline/shared/contracts/internal';
import { contentApproved, jobCompleted } from '@hookline/shared/events';
import { newId } from '@hookline/shared/kernel';
import { dayMs } from '@hookline/shared/kernel/durations';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { startTestService, testCaller } from '@hookline/testing/service-harness';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { automation } from '../src/service.ts';
import { pruneEvents, pruneFirings } from '../src/upkeep/queries.ts';
import { startReceiver } from './receiver.ts';

const receiver = perSuite(startReceiver);
const service = perSuite(() =>
  startTestService(automation, {
    env: { PUBLIC_URL: 'https://api.example.com', WEBHOOK_ALLOW_TARGETS: receiver.target },
  }),
);
const owner = testCaller();

describe('retention', () => {
  it('retention deletes events with their deliveries, keeps later ones, and the cursor still works', async () => {
    const body = { url: receiver.url(), events: ['job.completed'] };
    await service.call('POST', '/v1/webhooks', { caller: owner, body });
    const publish = (subject: string) =>
      service.publish(jobCompleted, {
        subject,
        accountId: owner.accountId,
        data: { ...jobCompleted.example, origin: null },
      });
    await publish('content_old');
    await eventually(() => expect(receiver.received).toHaveLength(1));
    const [first] = await service.db.query<{ cursor: Date }>('select created_at as cursor from feed_events');
    expect(await pruneEvents(service.db, first?.cursor as Date)).toBe(false);
    const before = await service.call('GET', '/v1/events', { caller: owner });
    expect((before.body as { data: unknown[] }).data).toHaveLength(1);
    // The receiver has it before its delivery is written as over; events with a pending one are kept.
    const pending = () => service.db.query("select id from deliveries where status = 'pending'");
    await eventually(async () => expect(await pending()).toEqual([]));
    await pruneEvents(service.db, new Date(Date.now() + 1_000));
    expect(await service.db.query('select id from deliveries')).toEqual([]);
    await publish('content_new');
    const { nextCursor } = before.body as { nextCursor: string };
    await eventually(async () => {
      const after = await service.call('GET', `/v1/events?after=${nextCursor}`, { caller: owner });
      expect((after.body as { data: unknown[] }).data).toHaveLength(1);
    });
  });

  it('400 for a cursor older than the events kept, and the poller can start again', async () => {
    const caller = testCaller();
    const publish = () =>
      service.publish(jobCompleted, {
        subject: newId('content'),
        accountId: caller.accountId,
        data: { ...jobCompleted.example, origin: null },
      });
    const read = async (query: string) => {
      const { status, body } = await service.call('GET', `/v1/events${query}`, { caller });
      return {
        status,
        ...(body as { data: { id: string }[]; nextCursor: string; error: { message: string } }),
      };
    };
    const start = (await read('')).nextCursor;
    for (let count = 1; count <= 3; count += 1) {
      await publish();
      await eventually(async () => expect((await read('')).data).toHaveLength(count));
    }
    const first = await read('?limit=1');
    const all = await read('');
    await pruneEvents(service.db, new Date(Date.now() + 1_000));
    // Nothing is kept now: a caller that had read everything continues, the others get an error.
    expect(await read(`?after=${all.nextCursor}`)).toMatchObject({ status: 200, data: [] });
    const late = await read(`?after=${first.nextCursor}`);
    expect([late.status, late.error.message]).toEqual([
      400,
      expect.stringContaining('after must not be older than the 30 days that events are kept'),
    ]);
    expect((await read(`?after=${start}`)).status).toBe(400);
    const anew = await read('');
    expect([anew.status, anew.data, anew.nextCursor]).toEqual([200, [], all.nextCursor]);
    expect(await read('?order=newest')).toMatchObject({ data: [], nextCursor: all.nextCursor });
    await publish();
    await eventually(async () => expect((await read(`?after=${anew.nextCursor}`)).data).toHaveLength(1));
    expect((await read('')).data).toHaveLength(1);
    expect((await read(`?after=${first.nextCursor}`)).status).toBe(400);
  });

  it('400 too where an event before the removed ones waits for a delivery that is sent again', async () => {
    const caller = testCaller();
    const read = async (query: string) => {
      const { status, body } = await service.call('GET', `/v1/events${query}`, { caller });
      return { status, ...(body as { data: { id: string }[]; nextCursor: string }) };
    };
    for (let count = 1; count <= 3; count += 1) {
      const data = { ...jobCompleted.example, origin: null };
      const subject = newId('content');
      await service.publish(jobCompleted, { subject, accountId: caller.accountId, data });
      await eventually(async () => expect((await read('')).data).toHaveLength(count));
    }
    const ids = (await read('')).data.map(({ id }) => id);
    const { nextCursor: first } = await read('?limit=1');
    await service.db.query(
      `update feed_events set created_at = created_at - interval '31 days' where id = any($1)`,
      [ids.slice(0, 2)],
    );
    await service.db.query(
      `insert into deliveries (id, webhook_id, event_id, event_type, resource, sequence, next_attempt_at, created_at, updated_at)
       values ('delivery_replayed', 'webhook_1', $1, 'job.completed', 'job:1', 1, now() + interval '1 day', now(), now())`,
      [ids[0]],
    );
    await pruneEvents(service.db, new Date(Date.now() - 30 * dayMs));
    expect((await read(`?after=${first}`)).status).toBe(400);
    expect((await read('?limit=1')).data).toEqual([expect.objectContaining({ id: ids[2] })]);
    const feeds = [0, 1, 2].map(after => ({ accountId: caller.accountId, after }));
    const { body } = await service.call('POST', '/internal/feeds', { body: { feeds } });
    expect(body).toMatchObject({ feeds: [{ isGap: true }, { isGap: true }, { isGap: false }] });
    await service.db.query(`update feed_events set created_at = now() - interval '31 days' where id = $1`, [
      ids[2],
    ]);
    await pruneEvents(service.db, new Date(Date.now() - 30 * dayMs));
    const newest = await read('?order=newest');
    expect(newest.data).toEqual([expect.objectContaining({ id: ids[0] })]);
    expect(await read(`?after=${newest.nextCursor}`)).toMatchObject({ status: 200, data: [] });
  });

  it('retention removes firings that ended and keeps those that wait', async () => {
    await service.db.query(
      `insert into automations (id, account_id, app_id, tiktok_account_id, format, posting_times, timezone,
         approval_mode, posting_mode, created_at, updated_at)
       values ('automation_1', 'acct_1', 'product_1', 'account_1', 'slideshow', '[]', 'UTC', 'manual', 'drafts', now(), now())`,
    );
    await service.db.query(
      `insert into firings (id, automation_id, account_id, slot, status, approval_mode, reason, created_at, updated_at)
       select 'firing_' || status, 'automation_1', 'acct_1', now() - n * interval '1 day', status, 'manual', 'x',
         now() - interval '40 days', now()
       from unnest(array['done', 'failed', 'skipped', 'awaiting_approval']) with ordinality as s (status, n)`,
    );
    await pruneFirings(service.db, new Date());
    expect(await service.db.query('select status from firings')).toEqual([{ status: 'awaiting_approval' }]);
  });

  it('the gateway reads many feeds at once, with their gaps', async () => {
    const [caller, empty] = [testCaller(), testCaller()];
    const publish = (definition: typeof jobCompleted, data: unknown) =>
      service.publish(definition, {
        subject: newId('content'),
        accountId: caller.accountId,
        data: data as never,
      });
    const readFeeds = async (afters: (number | null)[]) => {
      const feeds = afters.map(after => ({ accountId: caller.accountId, after }));
      const body = { feeds: [{ accountId: empty.accountId, after: 0 }, ...feeds] };
      const answer = await service.call('POST', '/internal/feeds', { body });
      expect(answer.status).toBe(200);
      return (answer.body as z.infer<typeof contracts.readFeeds.response>).feeds;
    };
    await publish(jobCompleted, { ...jobCompleted.example, origin: null });
    await publish(contentApproved as never, contentApproved.example);
    await eventually(async () => expect((await readFeeds([0]))[1]?.head).toBe(2));
    // A page that opens hears again of what is younger than half a minute.
    expect((await readFeeds([null]))[1]).toEqual({ head: 0, isGap: false, events: [] });
    await service.db.query(
      `update feed_events set created_at = created_at - interval '1 minute'
       where account_id = $1 and position = 1`,
      [caller.accountId],
    );
    const approved = {
      position: 2,
      type: 'content.approved',
      resourceId: expect.stringMatching(/^content_/),
      automationId: contentApproved.example.origin?.automationId,
    };
    const made = { ...approved, position: 1, type: 'job.completed', automationId: null };
    made.resourceId = jobCompleted.example.job.resourceId;
    expect(await readFeeds([null, 0, 1, 2, 3])).toEqual([
      { head: 0, isGap: false, events: [] },
      { head: 1, isGap: false, events: [] },
      { head: 2, isGap: false, events: [made, approved] },
      { head: 2, isGap: false, events: [approved] },
      { head: 2, isGap: false, events: [] },
      { head: 2, isGap: true, events: [] },
    ]);
    await pruneEvents(service.db, new Date(Date.now() + 1_000));
    const gaps = (await readFeeds([0, 1, 2])).map(({ isGap }) => isGap);
    expect(gaps).toEqual([false, true, true, false]);
    expect((await readFeeds([null]))[1]).toEqual({ head: 2, isGap: false, events: [] });
    const { status } = await service.call('POST', '/internal/feeds', {
      body: { feeds: [] },
      sender: 'content',
    });
    expect(status).toBe(401);
  });
});
