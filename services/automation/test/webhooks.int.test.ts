/** The records of webhooks: registering, testing, rotating, replaying. */

import { createHmac } from 'node:crypto';
import { DeliveryAttempt } from '@hookline/shared/contracts/webhooks';
import { dayMs } from '@hookline/shared/kernel/durations';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { testAddress, testCaller } from '@hookline/testing/service-harness';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Received } from './receiver.ts';
import { startWebhookWorld } from './webhook-world.ts';

const world = perSuite(startWebhookWorld);

afterEach(() => {
  world.receiver.received.length = 0;
});

describe('POST /v1/webhooks', () => {
  it('201 registers a webhook with its secret once; no list shows it and no row holds it in the clear', async () => {
    const { id, secret } = await world.register('/once');
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const listed = await world.call('GET', '/v1/webhooks');
    expect(listed.body.data).toEqual([
      {
        id,
        url: world.receiver.url('/once'),
        events: ['job.completed'],
        status: 'enabled',
        disabledReason: null,
        createdBy: { kind: 'key', id: expect.stringMatching(/^key_/), name: 'test key' },
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ]);
    const [row] = await world.service.db.query<{ text: string }>(
      'select to_json(w)::text as text from webhooks w where id = $1',
      [id],
    );
    expect(row?.text).not.toContain(secret.slice('whsec_'.length));
  });

  it.each([
    ['http://localhost:3000/hook', 'url must use https; for a receiver on your machine run "hookline listen'],
    [
      'https://localhost/hook',
      'are refused; for a receiver on your machine run "hookline listen --forward-to',
    ],
    ['https://me:word@example.com/', 'url must not carry a user name'],
  ])('400 for a webhook to %s', async (url, message) => {
    world.owner = testCaller();
    const { status, body } = await world.call('POST', '/v1/webhooks', { url, events: ['job.completed'] });
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    expect(body.error.message).toContain(message);
  });
});

describe('POST /v1/webhooks/{id}/test', () => {
  it('POST /v1/webhooks/{id}/test sends a marked, signed event and answers its attempt', async () => {
    const { id, secret } = await world.register('/test');
    const { status, body } = await world.call('POST', `/v1/webhooks/${id}/test`);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      at: expect.any(String),
      responseStatus: 200,
      durationMs: expect.any(Number),
      error: null,
    });
    const [sent] = world.at('/test') as [Received];
    // The clock of these tests runs ahead, so the verifier's is set to the time of the attempt.
    const payload = JSON.parse(sent.body);
    expect(sent.headers['x-service-signature']).toBe(
      createHmac('sha256', secret).update(sent.body).digest('hex'),
    );
    expect(payload).toMatchObject({ type: 'webhook.test', data: { test: true, webhookId: id } });
    expect((await world.feed()).data).toEqual([]);
  });

  it('POST /v1/webhooks/{id}/test answers every status that an endpoint can send, within the documented bounds', async () => {
    const { id } = await world.register('/odd');
    world.receiver.answer('/odd', { status: 999 });
    const { body } = await world.call('POST', `/v1/webhooks/${id}/test`);
    expect(body.data).toMatchObject({ responseStatus: 999, error: 'answered 999' });
    expect(JSON.stringify(z.toJSONSchema(DeliveryAttempt))).toContain('"maximum":999');
  });
});

describe('POST /v1/webhooks/{id}/rotate', () => {
  it('a rotation answers a new secret; both sign until the overlap ends, then the new one alone', async () => {
    const { id, secret: old } = await world.register('/rotate');
    const { body } = await world.call('POST', `/v1/webhooks/${id}/rotate`, { overlapHours: 2 });
    const secret = body.data.secret as string;
    expect(secret).not.toBe(old);
    await world.call('POST', `/v1/webhooks/${id}/test`);
    const overlapping = world.at('/rotate')[0] as Received;
    expect(signs(old, overlapping)).toBe(true);
    expect(signs(secret, overlapping)).toBe(true);
    await world.advance(2 * 3_600_000 + 1_000);
    await world.call('POST', `/v1/webhooks/${id}/test`);
    const after = world.at('/rotate')[1] as Received;
    expect(signs(old, after)).toBe(false);
    expect(signs(secret, after)).toBe(true);
    const [event] = await world.service.db.query<{ headers: Record<string, string>; payload: string }>(
      `select headers, payload from outbox where key = $1 union all select headers, payload from outbox_sent where key = $1`,
      [id],
    );
    expect(event?.headers).toMatchObject({
      ce_type: 'webhook.secret_rotated',
      ce_clientaddress: testAddress,
    });
    expect(JSON.parse(event?.payload ?? '{}')).toMatchObject({
      overlapHours: 2,
      by: { kind: 'key', name: 'test key' },
    });
    expect(event?.payload).not.toContain(secret);
  });
});

function signs(secret: string, { headers, body }: Received): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from(secret.slice(6), 'base64');
  const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(signature);
}

describe('POST /v1/webhooks/{id}/deliveries/{deliveryId}/replay', () => {
  it('a replayed delivery has the same id; 400 while the endpoint is disabled', async () => {
    const { id } = await world.register('/replay');
    const eventId = await world.publishJob();
    await eventually(async () =>
      expect(await world.deliveriesOf(id)).toMatchObject([{ status: 'delivered' }]),
    );
    const [delivery] = await world.deliveriesOf(id);
    const path = `/v1/webhooks/${id}/deliveries/${delivery?.id}/replay`;
    const { status, body } = await world.call('POST', path);
    expect([status, body.data.status]).toEqual([200, 'pending']);
    await eventually(async () => expect((await world.deliveriesOf(id))[0]?.attempts).toHaveLength(2));
    expect(world.at('/replay').map(({ headers }) => headers['webhook-id'])).toEqual([eventId, eventId]);
    await world.call('PATCH', `/v1/webhooks/${id}`, { status: 'disabled' });
    expect((await world.call('POST', path)).status).toBe(400);
    const missing = `/v1/webhooks/${id}/deliveries/delivery_none/replay`;
    await world.call('PATCH', `/v1/webhooks/${id}`, { status: 'enabled' });
    expect((await world.call('POST', missing)).status).toBe(404);
  });
});

describe('POST /v1/webhooks/{id}/replay', () => {
  it('a replay sends what failed since a time, or everything; 400 while the endpoint is disabled', async () => {
    const { id } = await world.register('/replays');
    const path = `/v1/webhooks/${id}/replay`;
    const eventIds = [await world.publishJob(), await world.publishJob(), await world.publishJob()];
    const isDelivered = () =>
      eventually(async () =>
        expect((await world.deliveriesOf(id)).map(({ status }) => status)).toEqual(
          eventIds.map(() => 'delivered'),
        ),
      );
    await isDelivered();
    const [newest, ...older] = await world.deliveriesOf(id);
    await world.service.db.query(
      `update deliveries set status = 'failed', created_at = created_at - interval '1 day' where id = $1`,
      [newest?.id],
    );
    const sentAgain = async (body: unknown, count: number) => {
      world.receiver.received.length = 0;
      const answer = await world.call('POST', path, body);
      expect([answer.status, answer.body.data]).toEqual([202, { replayed: count }]);
      await isDelivered();
      return world.at('/replays').map(({ headers }) => headers['webhook-id']);
    };
    const ago = (ms: number) => new Date(Date.now() + world.aheadMs - ms).toISOString();
    const since = ago(2 * dayMs);
    expect(await sentAgain({ since }, 1)).toEqual([newest?.eventId]);
    const lastHour = await sentAgain({ since: ago(3_600_000), status: 'all' }, 2);
    expect(lastHour.toSorted()).toEqual(older.map(({ eventId }) => eventId).toSorted());
    expect(await sentAgain({ since: ago(-3_600_000), status: 'all' }, 0)).toEqual([]);
    const strange = await world.call('POST', path, { since: 'yesterday' });
    expect([strange.status, strange.body.error.message]).toEqual([
      400,
      'since must be an ISO 8601 time with an offset, such as 2026-12-01T09:00:00Z',
    ]);
    await world.call('PATCH', `/v1/webhooks/${id}`, { status: 'disabled' });
    expect((await world.call('POST', path, { since })).status).toBe(400);
  });

  it('400 when more than 10,000 would be replayed, and none is changed', async () => {
    const { id } = await world.register('/too-many');
    await world.service.db.query(
      `insert into deliveries (id, webhook_id, event_id, event_type, resource, sequence, status, created_at, updated_at)
       select 'd' || $1 || n, $1, 'e' || n, 'job.completed', 'job:x', n, 'failed', now(), now()
       from generate_series(1, 10001) n`,
      [id],
    );
    const answer = await world.call('POST', `/v1/webhooks/${id}/replay`, { since: '2026-01-01T00:00:00Z' });
    expect([answer.status, answer.body.error.message]).toEqual([
      400,
      'since must be a later time: more than 10,000 deliveries would be sent again',
    ]);
    const left = await world.call('GET', `/v1/webhooks/${id}/deliveries?status=pending`);
    expect(left.body.data).toEqual([]);
  });
});

describe('GET /v1/webhooks/{id}', () => {
  it('GET /v1/webhooks/{id} answers the record without the secret', async () => {
    const { id } = await world.register('/one');
    const { body, text } = await world.call('GET', `/v1/webhooks/${id}`);
    expect(body.data).toMatchObject({ id, url: world.receiver.url('/one'), status: 'enabled' });
    expect(text).not.toContain('whsec_');
  });
});
