/** What a delivery carries, by what its endpoint may read, and how often it is made. */

import { createHmac } from 'node:crypto';
import { contentApproved, scheduleFailed, schedulePublished } from '@hookline/shared/events';
import type { Caller } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';
import type { Received } from './receiver.ts';
import { type Body, startWebhookWorld } from './webhook-world.ts';

const world = perSuite(startWebhookWorld);

afterEach(() => {
  world.receiver.received.length = 0;
});

describe('a delivery', () => {
  it('a delivery carries the event signed in both schemes', async () => {
    const { id, secret } = await world.register('/signed', ['content.approved']);
    const content = { ...contentApproved.example.content, id: newId('content') };
    await world.service.publish(contentApproved, {
      subject: content.id,
      accountId: world.owner.accountId,
      data: { ...contentApproved.example, content, origin: null },
    });
    await eventually(() => expect(world.at('/signed')).toHaveLength(1));
    const { headers, body } = world.at('/signed')[0] as Received;
    const payload = new Webhook(secret).verify(body, headers as Record<string, string>) as Body['data'];
    expect(headers['x-service-signature']).toBe(createHmac('sha256', secret).update(body).digest('hex'));
    expect(headers['content-type']).toBe('application/json');
    expect(Object.keys(payload)).toEqual(['id', 'type', 'timestamp', 'createdAt', 'sequence', 'data']);
    expect(payload).toMatchObject({ id: headers['webhook-id'], type: 'content.approved', sequence: 1 });
    expect(payload.timestamp).toBe(payload.createdAt);
    const { imageId: _id, ...file } = content.images[0] as (typeof content.images)[number];
    const url = expect.stringMatching(
      new RegExp(`^https://api\\.example\\.com/media/images/${_id}\\?e=\\d+&s=[\\w-]+$`),
    );
    expect(payload.data).toEqual({ ...content, images: [{ ...file, url }] });
    await eventually(async () =>
      expect(await world.deliveriesOf(id)).toMatchObject([
        {
          eventId: payload.id,
          status: 'delivered',
          attempts: [{ responseStatus: 200, error: null }],
          nextAttemptAt: null,
        },
      ]),
    );
  });

  it('a delivery shows what was sent and the first 1,024 bytes of the answer, contents only to their readers', async () => {
    const { id } = await world.register('/shown', ['content.approved']);
    // Cut within a character; Postgres stores no U+0000.
    world.receiver.answer(
      '/shown',
      { status: 500, body: `\0${'x'.repeat(1_022)}ü and more` },
      { status: 200 },
    );
    const content = { ...contentApproved.example.content, id: newId('content') };
    await world.service.publish(contentApproved, {
      subject: content.id,
      accountId: world.owner.accountId,
      data: { ...contentApproved.example, content, origin: null },
    });
    const shown = async (caller = world.owner) => {
      const { body } = await world.call('GET', `/v1/webhooks/${id}/deliveries`, undefined, caller);
      return (body.data as unknown as { status: string; request: string; response: string | null }[])[0];
    };
    await eventually(async () => {
      const first = await shown();
      expect(first?.response).toBe(`\uFFFD${'x'.repeat(1_022)}`);
      expect(first?.request).toBe(world.at('/shown')[0]?.body);
    });
    const outsider = { ...world.owner, scopes: world.owner.scopes.filter(scope => scope !== 'content:read') };
    const hidden = await shown(outsider);
    expect(hidden?.response).toBeNull();
    expect(JSON.parse(hidden?.request ?? '').data).toEqual({ id: content.id });
    await world.advance(10_000);
    await eventually(async () => expect(await shown()).toMatchObject({ status: 'delivered', response: '' }));
  });

  it('a delivery of a content is its id alone where a key without content:read set the address', async () => {
    const { id } = await world.register('/reader', ['content.approved']);
    const narrow: Caller = { ...world.owner, scopes: ['webhooks:write'] };
    const events = ['content.approved', 'job.completed'];
    await world.call('POST', '/v1/webhooks', { url: world.receiver.url('/narrow'), events }, narrow);
    const decide = async (): Promise<{ id: string }> => {
      const content = { ...contentApproved.example.content, id: newId('content') };
      const data = { ...contentApproved.example, content, origin: null };
      await world.service.publish(contentApproved, {
        subject: content.id,
        accountId: world.owner.accountId,
        data,
      });
      return content;
    };
    const dataAt = (path: string) => world.at(path).map(({ body }) => (JSON.parse(body) as Body).data);
    const content = await decide();
    await eventually(() => {
      expect(dataAt('/narrow')).toEqual([{ id: content.id }]);
      expect(dataAt('/reader')).toEqual([
        expect.objectContaining({ id: content.id, result: expect.anything() }),
      ]);
    });
    // A job says nothing of the words.
    await world.publishJob();
    await eventually(() => expect(dataAt('/narrow')[1]).toMatchObject({ resourceType: 'content', cost: 1 }));
    // Other changes leave what an endpoint gets; a narrow key that moves it gets no more than it may read.
    await world.call('PATCH', `/v1/webhooks/${id}`, { url: world.receiver.url('/reader') }, narrow);
    await world.call('PATCH', `/v1/webhooks/${id}`, { events }, narrow);
    await decide();
    await eventually(() => expect(dataAt('/reader')[1]).toHaveProperty('result'));
    await world.call('PATCH', `/v1/webhooks/${id}`, { url: world.receiver.url('/moved') }, narrow);
    const moved = await decide();
    await eventually(() => expect(dataAt('/moved')).toEqual([{ id: moved.id }]));
    await world.call('PATCH', `/v1/webhooks/${id}`, { url: world.receiver.url('/moved') });
    await decide();
    await eventually(() => expect(dataAt('/moved')[1]).toHaveProperty('result'));
  });

  it('a delivery of a schedule is its ids and status where a key without schedules:read set the address', async () => {
    const { id } = await world.register('/whole', ['schedule.published']);
    const narrow: Caller = { ...world.owner, scopes: ['webhooks:write', 'content:read'] };
    const events = ['schedule.published'];
    await world.call('POST', '/v1/webhooks', { url: world.receiver.url('/reference'), events }, narrow);
    const post = async () => {
      const schedule = { ...schedulePublished.example.schedule, id: newId('schedule') };
      const data = { schedule, firingId: null };
      await world.service.publish(schedulePublished, {
        subject: schedule.id,
        accountId: world.owner.accountId,
        data,
      });
      return schedule;
    };
    const dataAt = (path: string) => world.at(path).map(({ body }) => (JSON.parse(body) as Body).data);
    const schedule = await post();
    const { contentId, status } = schedule;
    const reference = { id: schedule.id, contentId, status };
    await eventually(() => {
      expect(dataAt('/whole')).toEqual([schedule]);
      expect(dataAt('/reference')).toEqual([reference]);
    });
    const feedFor = async (caller: Caller) =>
      (await world.feed('', caller)).data.map(event => (event as unknown as Body).data);
    expect(await feedFor(world.owner)).toEqual([schedule]);
    expect(await feedFor(narrow)).toEqual([reference]);
    // What an endpoint was sent, and its answer, are for those who may read it.
    const shownTo = async (caller: Caller) => {
      const { body } = await world.call('GET', `/v1/webhooks/${id}/deliveries`, undefined, caller);
      const [delivery] = body.data as unknown as { request: string; response: string | null }[];
      return { data: JSON.parse(delivery?.request ?? '').data, response: delivery?.response };
    };
    await eventually(async () => expect((await shownTo(world.owner)).response).toBe(''));
    expect(await shownTo(narrow)).toEqual({ data: reference, response: null });
    // A narrow key that moves the endpoint gets no more than it may read.
    await world.call('PATCH', `/v1/webhooks/${id}`, { url: world.receiver.url('/elsewhere') }, narrow);
    const { id: later } = await post();
    await eventually(() => expect(dataAt('/elsewhere')).toEqual([{ id: later, contentId, status }]));
  });

  it('a delivery is created once for an event that comes twice, and only for subscribed types', async () => {
    const { id } = await world.register('/twice', ['schedule.failed']);
    const contentId = await world.publishJob();
    expect(contentId).toBeTruthy();
    const event = {
      subject: newId('schedule'),
      accountId: world.owner.accountId,
      id: newId('event'),
      data: scheduleFailed.example,
    };
    await world.service.publish(scheduleFailed, event);
    await world.service.publish(scheduleFailed, event);
    await world.service.publish(scheduleFailed, { ...event, subject: newId('schedule'), id: newId('event') });
    await eventually(() => expect(world.at('/twice')).toHaveLength(2));
    expect((await world.deliveriesOf(id)).map(delivery => delivery.status)).toHaveLength(2);
    expect(new Set(world.at('/twice').map(({ headers }) => headers['webhook-id'])).size).toBe(2);
  });
});
