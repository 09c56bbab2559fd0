/** What an answer does to a delivery and its endpoint: retries, order, take-over, disabling. */

import { newId } from '@hookline/shared/kernel';
import { dayMs } from '@hookline/shared/kernel/durations';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { afterEach, describe, expect, it } from 'vitest';
import type { Received } from './receiver.ts';
import { startWebhookWorld } from './webhook-world.ts';

const world = perSuite(startWebhookWorld);

afterEach(() => {
  world.receiver.received.length = 0;
});

/** 5,500 deliveries: more than one transaction ends. They are not due, so none is on its way. */
async function insertBacklog(webhookId: string): Promise<void> {
  await world.service.db.query(
    `insert into deliveries (id, webhook_id, event_id, event_type, resource, sequence, next_attempt_at, created_at, updated_at)
     select $1 || n, $1, $1 || n, 'job.completed', 'job:' || n, 1, $2::timestamptz + interval '1 day', $2, $2
     from generate_series(1, 5500) n`,
    [webhookId, new Date(Date.now() + world.aheadMs)],
  );
  await world.service.db.query(`insert into webhook_queue values ($1, $2::timestamptz + interval '1 day')`, [
    webhookId,
    new Date(Date.now() + world.aheadMs),
  ]);
}

describe('a delivery', () => {
  it('a delivery is tried again after a 500, with the same id and body and a new time', async () => {
    const { id } = await world.register('/flaky');
    world.receiver.answer('/flaky', { status: 500 }, { status: 200 });
    const eventId = await world.publishJob();
    await eventually(async () =>
      expect(await world.deliveriesOf(id)).toMatchObject([
        { status: 'pending', attempts: [{ responseStatus: 500, error: 'answered 500' }] },
      ]),
    );
    await world.advance(6_000);
    await eventually(async () =>
      expect(await world.deliveriesOf(id)).toMatchObject([{ status: 'delivered' }]),
    );
    const [first, second] = world.at('/flaky') as [Received, Received];
    expect([first.headers['webhook-id'], second.headers['webhook-id']]).toEqual([eventId, eventId]);
    expect(second.body).toBe(first.body);
    expect(Number(second.headers['webhook-timestamp'])).toBeGreaterThan(
      Number(first.headers['webhook-timestamp']),
    );
  });

  it('a delivery waits as long as Retry-After says', async () => {
    const { id } = await world.register('/later');
    world.receiver.answer('/later', { status: 503, headers: { 'retry-after': '600' } });
    await world.publishJob();
    await eventually(async () => expect((await world.deliveriesOf(id))[0]?.attempts).toHaveLength(1));
    const [delivery] = await world.deliveriesOf(id);
    const waitMs = Date.parse(delivery?.nextAttemptAt ?? '') - Date.now() - world.aheadMs;
    expect(waitMs).toBeGreaterThan(590_000);
    expect(waitMs).toBeLessThanOrEqual(600_000);
  });

  it('a redirect counts as a failure', async () => {
    const { id } = await world.register('/moved');
    world.receiver.answer('/moved', { status: 302, headers: { location: 'http://example.com/' } });
    await world.publishJob();
    await eventually(async () =>
      expect(await world.deliveriesOf(id)).toMatchObject([
        { status: 'pending', attempts: [{ error: expect.stringContaining('redirects are not followed') }] },
      ]),
    );
  });

  it('a delivery is delivered once by an answer of 2xx, however long, and the endpoint stays enabled', async () => {
    const { id } = await world.register('/long');
    world.receiver.answer('/long', { status: 201, body: 'x'.repeat(200_000) });
    await world.publishJob();
    await world.publishJob();
    await eventually(async () =>
      expect(await world.deliveriesOf(id)).toMatchObject([
        { status: 'delivered', attempts: [{ responseStatus: 201, error: null }] },
        { status: 'delivered', attempts: [{ responseStatus: 201, error: null }] },
      ]),
    );
    expect(world.at('/long')).toHaveLength(2);
  });

  it('a delivery that meets 410 disables its endpoint at once and ends what waits', async () => {
    const { id } = await world.register('/gone');
    world.receiver.answer('/gone', { status: 500 }, { status: 410 });
    await world.publishJob();
    await eventually(async () => expect((await world.deliveriesOf(id))[0]?.attempts).toHaveLength(1));
    await world.publishJob();
    await eventually(async () => {
      const listed = await world.call('GET', '/v1/webhooks');
      expect(listed.body.data).toMatchObject([
        { status: 'disabled', disabledReason: 'the endpoint answered 410 Gone' },
      ]);
    });
    expect((await world.call('GET', '/v1/webhooks?status=disabled')).body.data).toMatchObject([{ id }]);
    expect((await world.call('GET', '/v1/webhooks?status=enabled')).body.data).toEqual([]);
    expect((await world.deliveriesOf(id)).map(({ status }) => status)).toEqual(['failed', 'failed']);
    const arrived = world.at('/gone').length;
    await world.publishJob();
    // Three jobs and the event that the endpoint was disabled.
    await eventually(async () => expect((await world.feed()).data).toHaveLength(4));
    expect((await world.feed()).data.find(({ type }) => type === 'webhook.disabled')).toMatchObject({
      sequence: 1,
      data: { id, status: 'disabled', disabledReason: 'the endpoint answered 410 Gone' },
    });
    expect(await world.deliveriesOf(id)).toHaveLength(2);
    expect(world.at('/gone')).toHaveLength(arrived);
    const enabled = await world.call('PATCH', `/v1/webhooks/${id}`, { status: 'enabled' });
    expect(enabled.body.data).toMatchObject({ status: 'enabled', disabledReason: null });
  });

  it.each([
    ['meets 410', 'the endpoint answered 410 Gone'],
    ['is deleted', null],
  ])(
    'of a very large backlog fails when the endpoint %s, and no event waits for that',
    async (how, reason) => {
      const { id } = await world.register('/backlog');
      await insertBacklog(id);
      const { owner } = world;
      const { id: other } = await world.register('/other');
      const publishTo = async (caller: typeof owner) => {
        world.owner = caller;
        await world.publishJob();
      };
      const otherOwner = world.owner;
      if (how === 'meets 410') {
        world.receiver.answer('/backlog', { status: 410 });
        await publishTo(owner);
      } else await world.call('DELETE', `/v1/webhooks/${id}`, undefined, owner);
      await publishTo(otherOwner);
      await eventually(async () =>
        expect(await world.deliveriesOf(other)).toMatchObject([{ status: 'delivered' }]),
      );
      const pending = () =>
        world.service.db.query(
          `select from deliveries where webhook_id = $1 and status = 'pending' limit 1`,
          [id],
        );
      await eventually(async () => expect(await pending()).toEqual([]), 15_000);
      const shown = await world.call('GET', `/v1/webhooks/${id}`, undefined, owner);
      if (reason !== null)
        expect(shown.body.data).toMatchObject({ status: 'disabled', disabledReason: reason });
      else expect(shown.status).toBe(404);
    },
  );

  it('a delivery from before its endpoint was disabled is not sent when the endpoint is enabled at once', async () => {
    const { id } = await world.register('/again');
    await insertBacklog(id);
    await world.call('PATCH', `/v1/webhooks/${id}`, { status: 'disabled' });
    const enabled = await world.call('PATCH', `/v1/webhooks/${id}`, { status: 'enabled' });
    expect([enabled.status, enabled.body.data?.status]).toEqual([200, 'enabled']);
    const rows = await world.service.db.query(
      'select status, count(*)::int as count from deliveries where webhook_id = $1 group by status',
      [id],
    );
    expect(rows).toEqual([{ status: 'failed', count: 5_500 }]);
    await world.publishJob();
    await eventually(async () =>
      expect((await world.deliveriesOf(id))[0]).toMatchObject({ status: 'delivered' }),
    );
  });

  it('an endpoint is disabled after 5 days in which attempts failed every day', async () => {
    const { id } = await world.register('/dead');
    world.receiver.answer('/dead', { status: 500 });
    await world.publishJob();
    for (let day = 1; day <= 5; day += 1) {
      await eventually(async () => expect((await world.deliveriesOf(id))[0]?.attempts).toHaveLength(day));
      await world.advance(dayMs);
    }
    await eventually(async () => {
      const listed = await world.call('GET', '/v1/webhooks');
      expect(listed.body.data).toMatchObject([
        { status: 'disabled', disabledReason: expect.stringContaining('5 days') },
      ]);
    });
    expect(await world.deliveriesOf(id)).toMatchObject([{ status: 'failed', nextAttemptAt: null }]);
  }, 60_000);

  it('an endpoint stays enabled if it accepted an event since, also if its failures were not cleared for it', async () => {
    const { id } = await world.register('/back');
    const failures = async () =>
      await world.service.db.query<{ since: Date | null; times: Date[]; days: string[] }>(
        `select failing_since as since, failed_at as times, failed_days::text[] as days from webhooks where id = $1`,
        [id],
      );
    world.receiver.answer('/back', { status: 500 });
    await world.publishJob();
    for (let day = 1; day <= 5; day += 1) {
      await eventually(async () => expect((await world.deliveriesOf(id)).at(-1)?.attempts).toHaveLength(day));
      if (day === 4) {
        const [before] = await failures();
        world.receiver.answer('/back', { status: 200 });
        await world.publishJob();
        await eventually(async () => expect((await failures())[0]?.since).toBeNull());
        // As if the process had been killed between the two writes.
        await world.service.db.query(
          'update webhooks set failing_since = $2, failed_at = $3, failed_days = $4 where id = $1',
          [id, before?.since, before?.times, before?.days],
        );
        world.receiver.answer('/back', { status: 500 });
      }
      await world.advance(dayMs);
    }
    await eventually(async () => expect((await world.deliveriesOf(id)).at(-1)?.attempts).toHaveLength(6));
    expect((await world.call('GET', '/v1/webhooks')).body.data).toMatchObject([{ id, status: 'enabled' }]);
    const [row] = await failures();
    expect(row?.times).toHaveLength(1);
  }, 60_000);

  it('an endpoint stays enabled that was moved to another address in its 5 days', async () => {
    const { id } = await world.register('/dead-too');
    world.receiver.answer('/dead-too', { status: 500 });
    world.receiver.answer('/moved', { status: 500 });
    await world.publishJob();
    for (let day = 1; day <= 6; day += 1) {
      await eventually(async () => expect((await world.deliveriesOf(id))[0]?.attempts).toHaveLength(day));
      if (day === 5) {
        const url = world.receiver.url('/moved');
        expect((await world.call('PATCH', `/v1/webhooks/${id}`, { url })).status).toBe(200);
      }
      await world.advance(dayMs);
    }
    expect((await world.call('GET', '/v1/webhooks')).body.data).toMatchObject([{ id, status: 'enabled' }]);
  }, 60_000);

  it('an endpoint stays enabled at one failure after days without an attempt', async () => {
    const { id } = await world.register('/rare');
    world.receiver.answer('/rare', { status: 502 });
    await world.publishJob();
    await eventually(async () => expect((await world.deliveriesOf(id))[0]?.attempts).toHaveLength(1));
    await world.advance(6 * dayMs);
    await eventually(async () => expect((await world.deliveriesOf(id))[0]?.attempts).toHaveLength(2));
    expect((await world.call('GET', '/v1/webhooks')).body.data).toMatchObject([{ id, status: 'enabled' }]);
    expect(await world.deliveriesOf(id)).toMatchObject([{ status: 'pending' }]);
  });

  it('a delivery whose secret no key opens is a failed attempt with its reason, tried again by the plan', async () => {
    const { id } = await world.register('/sealed');
    await world.service.db.query(
      `update webhooks set secrets = jsonb_set(secrets, '{0,sealed}', to_jsonb('retired:' || split_part(secrets->0->>'sealed', ':', 2)))
       where id = $1`,
      [id],
    );
    await world.publishJob();
    await eventually(async () =>
      expect(await world.deliveriesOf(id)).toMatchObject([
        {
          status: 'pending',
          attempts: [{ responseStatus: null, error: expect.stringContaining('signing secret') }],
        },
      ]),
    );
    const tested = await world.call('POST', `/v1/webhooks/${id}/test`);
    expect(tested.status).toBe(200);
    await world.advance(6_000);
    await eventually(async () => expect((await world.deliveriesOf(id))[0]?.attempts).toHaveLength(2));
    await world.advance(330_000);
    await eventually(async () => expect((await world.deliveriesOf(id))[0]?.attempts).toHaveLength(3));
    expect(world.at('/sealed')).toHaveLength(0);
    const [row] = await world.service.db.query('select failing_since from webhooks where id = $1', [id]);
    expect(row).toEqual({ failing_since: null });
  });

  it('a delivery fails permanently after ten attempts', async () => {
    const { id } = await world.register('/never');
    world.receiver.answer('/never', { status: 500 });
    await world.publishJob();
    for (let made = 1; made <= 10; made += 1) {
      await eventually(async () => expect((await world.deliveriesOf(id))[0]?.attempts).toHaveLength(made));
      // Five days of failure are covered by another test: reset the endpoint's failures.
      await world.service.db.query('update webhooks set failing_since = null where id = $1', [id]);
      await world.advance(27 * 3_600_000);
    }
    expect(await world.deliveriesOf(id)).toMatchObject([{ status: 'failed', nextAttemptAt: null }]);
  }, 60_000);

  it('a delivery waits for the first attempt of the one before of its resource, others do not', async () => {
    const { id } = await world.register('/order');
    world.receiver.answer('/order', 'hang');
    const first = newId('content');
    await world.publishJob(first);
    await eventually(() => expect(world.at('/order')).toHaveLength(1));
    world.receiver.answer('/order', { status: 200 });
    // The next event of the same resource, with the sequence that content would give it.
    const [row] = await world.service.db.query<{ id: string }>(
      `insert into feed_events (id, account_id, position, type, resource, sequence, data, created_at)
       select 'event_next', account_id, 1000, type, resource, sequence + 1, data, created_at from feed_events
       where account_id = $1 returning id`,
      [world.owner.accountId],
    );
    await world.service.db.query(
      `insert into deliveries (id, webhook_id, event_id, event_type, resource, sequence, next_attempt_at, created_at, updated_at)
       select 'delivery_next', $1, $2, type, resource, sequence, now() - interval '1 day', now(), now()
       from feed_events where id = $2`,
      [id, row?.id],
    );
    await world.service.db.query(
      `insert into webhook_queue values ($1, now()) on conflict (webhook_id) do update set next_due_at = now()`,
      [id],
    );
    await world.publishJob();
    await eventually(() => expect(world.at('/order')).toHaveLength(2));
    expect(world.at('/order').map(({ headers }) => headers['webhook-id'])).not.toContain('event_next');
  });

  it('a delivery in flight at a dead worker is taken over when its lease ends', async () => {
    const { id } = await world.register('/taken');
    world.receiver.answer('/taken', { status: 500 });
    await world.publishJob();
    await eventually(async () => expect((await world.deliveriesOf(id))[0]?.attempts).toHaveLength(1));
    world.receiver.answer('/taken', { status: 200 });
    // The state after a process is killed during a claim: a lease of 6 s that is not renewed.
    await world.service.db.query(
      `update deliveries set lease_token = 'dead', next_attempt_at = $2 where webhook_id = $1`,
      [id, new Date(Date.now() + world.aheadMs + 6_000)],
    );
    await world.advance(6_000);
    await eventually(async () =>
      expect(await world.deliveriesOf(id)).toMatchObject([{ status: 'delivered' }]),
    );
    expect(world.at('/taken')).toHaveLength(2);
  });
});
