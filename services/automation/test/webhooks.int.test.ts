import { createHmac } from 'node:crypto';
import { contentApproved, jobCompleted, scheduleFailed, schedulePublished } from '@hookline/shared/events';
import type { Caller } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import { dayMs } from '@hookline/shared/kernel/durations';
import { eventually } from '@hookline/testing/eventually';
import {
  startTestService,
  type TestService,
  testAddress,
  testCaller,
} from '@hookline/testing/service-harness';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { channels } from '../src/channels.ts';
import { automation } from '../src/service.ts';
import { type Received, type Receiver, startReceiver } from './receiver.ts';

let receiver: Receiver;
let service: TestService;
let owner: Caller;
const stranger = testCaller();
// Moved forward so that retries come due; never moved back.
let aheadMs = 0;

beforeAll(async () => {
  receiver = await startReceiver();
  service = await startTestService(automation, {
    env: { PUBLIC_URL: 'https://api.example.com', WEBHOOK_ALLOW_TARGETS: receiver.target },
    now: () => new Date(Date.now() + aheadMs),
  });
});
afterAll(async () => {
  await service?.stop();
  await receiver?.stop();
});
afterEach(() => {
  receiver.received.length = 0;
});

/** Moves the clock and wakes the worker, instead of waiting for its next poll. */
async function advance(ms: number): Promise<void> {
  aheadMs += ms;
  await service.db.query(`select pg_notify('${channels.deliveries}', '')`);
}

type Body = { data: Record<string, unknown>; error: { code: string; message: string } };
async function call(method: string, path: string, body?: unknown, caller: Caller = owner) {
  const answer = await service.call(method, path, { caller, ...(body === undefined ? {} : { body }) });
  return { status: answer.status, body: answer.body as Body, text: answer.text };
}

/** A webhook on a new account, so that tests see only their own events. */
async function register(path: string, events = ['job.completed']): Promise<{ id: string; secret: string }> {
  owner = testCaller();
  const { status, body } = await call('POST', '/v1/webhooks', { url: receiver.url(path), events });
  expect(status).toBe(201);
  return body.data as { id: string; secret: string };
}

async function publishJob(contentId = newId('content')): Promise<string> {
  const id = newId('event');
  const job = { ...jobCompleted.example.job, id: contentId, resourceId: contentId };
  const data = { job, origin: null };
  await service.publish(jobCompleted, { subject: contentId, accountId: owner.accountId, data, id });
  return id;
}

type Delivery = {
  id: string;
  eventId: string;
  status: string;
  attempts: { responseStatus: number | null; error: string | null }[];
  nextAttemptAt: string | null;
};
async function deliveriesOf(id: string): Promise<Delivery[]> {
  return (await call('GET', `/v1/webhooks/${id}/deliveries`)).body.data as unknown as Delivery[];
}
const at = (path: string): Received[] => receiver.received.filter(request => request.path === path);

describe('POST /v1/webhooks', () => {
  it('201 with the secret once; no list shows it and no row holds it in the clear', async () => {
    const { id, secret } = await register('/once');
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const listed = await call('GET', '/v1/webhooks');
    expect(listed.body.data).toEqual([
      {
        id,
        url: receiver.url('/once'),
        events: ['job.completed'],
        status: 'enabled',
        disabledReason: null,
        createdBy: { kind: 'key', id: expect.stringMatching(/^key_/), name: 'test key' },
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ]);
    const [row] = await service.db.query<{ text: string }>(
      'select to_json(w)::text as text from webhooks w where id = $1',
      [id],
    );
    expect(row?.text).not.toContain(secret.slice('whsec_'.length));
  });

  it.each([
    ['http://example.com/hook', 'url must use https'],
    ['https://127.0.0.1/hook', 'url must name a public host'],
    ['http://127.0.0.1:1/hook', 'url must use https'],
    ['https://0x7f.1/hook', 'url must name a public host'],
    ['https://[::ffff:10.0.0.1]/hook', 'url must name a public host'],
    ['https://169.254.169.254/latest/meta-data', 'url must name a public host'],
    ['https://me:word@example.com/', 'url must not carry a user name'],
    ['not a url', 'url must be an absolute https URL'],
  ])('400 for %s', async (url, message) => {
    owner = testCaller();
    const { status, body } = await call('POST', '/v1/webhooks', { url, events: ['job.completed'] });
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    expect(body.error.message).toContain(message);
  });

  it('400 for unknown, repeated or no events', async () => {
    for (const events of [[], ['job.started'], ['job.completed', 'job.completed']]) {
      const { status } = await call('POST', '/v1/webhooks', { url: receiver.url(), events });
      expect(status).toBe(400);
    }
  });

  it('404 on every route for the webhook of another account', async () => {
    const { id } = await register('/foreign');
    await publishJob();
    await eventually(async () => expect(await deliveriesOf(id)).toHaveLength(1));
    const [delivery] = await deliveriesOf(id);
    for (const [method, path, body] of [
      ['PATCH', `/v1/webhooks/${id}`, { status: 'disabled' }],
      ['DELETE', `/v1/webhooks/${id}`],
      ['POST', `/v1/webhooks/${id}/test`],
      ['POST', `/v1/webhooks/${id}/rotate`],
      ['GET', `/v1/webhooks/${id}/deliveries`],
      ['POST', `/v1/webhooks/${id}/deliveries/${delivery?.id}/replay`],
      ['POST', `/v1/webhooks/${id}/replay`, { since: '2026-11-21T00:00:00Z' }],
      ['GET', `/v1/webhooks/${id}`],
    ] as const) {
      const answer = await call(method, path, body, stranger);
      expect([answer.status, answer.body.error.code], path).toEqual([404, 'not_found']);
    }
    expect((await call('GET', '/v1/webhooks', undefined, stranger)).body.data).toEqual([]);
  });
});

describe('a delivery', () => {
  it('carries the event signed in both schemes', async () => {
    const { id, secret } = await register('/signed', ['content.approved']);
    const content = { ...contentApproved.example.content, id: newId('content') };
    await service.publish(contentApproved, {
      subject: content.id,
      accountId: owner.accountId,
      data: { content, origin: null },
    });
    await eventually(() => expect(at('/signed')).toHaveLength(1));
    const { headers, body } = at('/signed')[0] as Received;
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
      expect(await deliveriesOf(id)).toMatchObject([
        {
          eventId: payload.id,
          status: 'delivered',
          attempts: [{ responseStatus: 200, error: null }],
          nextAttemptAt: null,
        },
      ]),
    );
  });

  it('shows what was sent and the first 1,024 bytes of the answer, contents only to their readers', async () => {
    const { id } = await register('/shown', ['content.approved']);
    // Cut within a character; Postgres stores no U+0000.
    receiver.answer('/shown', { status: 500, body: `\0${'x'.repeat(1_022)}ü and more` }, { status: 200 });
    const content = { ...contentApproved.example.content, id: newId('content') };
    await service.publish(contentApproved, {
      subject: content.id,
      accountId: owner.accountId,
      data: { content, origin: null },
    });
    const shown = async (caller = owner) => {
      const { body } = await call('GET', `/v1/webhooks/${id}/deliveries`, undefined, caller);
      return (body.data as unknown as { status: string; request: string; response: string | null }[])[0];
    };
    await eventually(async () => {
      const first = await shown();
      expect(first?.response).toBe(`\uFFFD${'x'.repeat(1_022)}`);
      expect(first?.request).toBe(at('/shown')[0]?.body);
    });
    const outsider = { ...owner, scopes: owner.scopes.filter(scope => scope !== 'content:read') };
    const hidden = await shown(outsider);
    expect(hidden?.response).toBeNull();
    expect(JSON.parse(hidden?.request ?? '').data).toEqual({ id: content.id });
    await advance(10_000);
    await eventually(async () => expect(await shown()).toMatchObject({ status: 'delivered', response: '' }));
    // An attempt of the version before leaves the columns as they were.
    await service.db.query(
      `update deliveries set attempted_at = attempted_at + interval '1 s' where webhook_id = $1`,
      [id],
    );
    expect((await shown())?.response).toBeNull();
  });

  it('of a content is its id alone where a key without content:read set the address', async () => {
    const { id } = await register('/reader', ['content.approved']);
    const narrow: Caller = { ...owner, scopes: ['webhooks:write'] };
    const events = ['content.approved', 'job.completed'];
    await call('POST', '/v1/webhooks', { url: receiver.url('/narrow'), events }, narrow);
    const decide = async (): Promise<{ id: string }> => {
      const content = { ...contentApproved.example.content, id: newId('content') };
      const data = { content, origin: null };
      await service.publish(contentApproved, { subject: content.id, accountId: owner.accountId, data });
      return content;
    };
    const dataAt = (path: string) => at(path).map(({ body }) => (JSON.parse(body) as Body).data);
    const content = await decide();
    await eventually(() => {
      expect(dataAt('/narrow')).toEqual([{ id: content.id }]);
      expect(dataAt('/reader')).toEqual([
        expect.objectContaining({ id: content.id, result: expect.anything() }),
      ]);
    });
    // A job says nothing of the words.
    await publishJob();
    await eventually(() => expect(dataAt('/narrow')[1]).toMatchObject({ resourceType: 'content', cost: 1 }));
    // Other changes leave what an endpoint gets; a narrow key that moves it gets no more than it may read.
    await call('PATCH', `/v1/webhooks/${id}`, { url: receiver.url('/reader') }, narrow);
    await call('PATCH', `/v1/webhooks/${id}`, { events }, narrow);
    await decide();
    await eventually(() => expect(dataAt('/reader')[1]).toHaveProperty('result'));
    await call('PATCH', `/v1/webhooks/${id}`, { url: receiver.url('/moved') }, narrow);
    const moved = await decide();
    await eventually(() => expect(dataAt('/moved')).toEqual([{ id: moved.id }]));
    await call('PATCH', `/v1/webhooks/${id}`, { url: receiver.url('/moved') });
    await decide();
    await eventually(() => expect(dataAt('/moved')[1]).toHaveProperty('result'));
  });

  it('of a schedule is its ids and status where a key without schedules:read set the address', async () => {
    const { id } = await register('/whole', ['schedule.published']);
    const narrow: Caller = { ...owner, scopes: ['webhooks:write', 'content:read'] };
    const events = ['schedule.published'];
    await call('POST', '/v1/webhooks', { url: receiver.url('/reference'), events }, narrow);
    const post = async () => {
      const schedule = { ...schedulePublished.example.schedule, id: newId('schedule') };
      const data = { schedule, firingId: null };
      await service.publish(schedulePublished, { subject: schedule.id, accountId: owner.accountId, data });
      return schedule;
    };
    const dataAt = (path: string) => at(path).map(({ body }) => (JSON.parse(body) as Body).data);
    const schedule = await post();
    const { contentId, status } = schedule;
    const reference = { id: schedule.id, contentId, status };
    await eventually(() => {
      expect(dataAt('/whole')).toEqual([schedule]);
      expect(dataAt('/reference')).toEqual([reference]);
    });
    const feedFor = async (caller: Caller) =>
      (await feed('', caller)).data.map(event => (event as unknown as Body).data);
    expect(await feedFor(owner)).toEqual([schedule]);
    expect(await feedFor(narrow)).toEqual([reference]);
    // What an endpoint was sent, and its answer, are for those who may read it.
    const shownTo = async (caller: Caller) => {
      const { body } = await call('GET', `/v1/webhooks/${id}/deliveries`, undefined, caller);
      const [delivery] = body.data as unknown as { request: string; response: string | null }[];
      return { data: JSON.parse(delivery?.request ?? '').data, response: delivery?.response };
    };
    await eventually(async () => expect((await shownTo(owner)).response).toBe(''));
    expect(await shownTo(narrow)).toEqual({ data: reference, response: null });
    // A narrow key that moves the endpoint gets no more than it may read.
    await call('PATCH', `/v1/webhooks/${id}`, { url: receiver.url('/elsewhere') }, narrow);
    const { id: later } = await post();
    await eventually(() => expect(dataAt('/elsewhere')).toEqual([{ id: later, contentId, status }]));
  });

  it('is made once for an event that comes twice, and only for the types asked for', async () => {
    const { id } = await register('/twice', ['schedule.failed']);
    const contentId = await publishJob();
    expect(contentId).toBeTruthy();
    const event = {
      subject: newId('schedule'),
      accountId: owner.accountId,
      id: newId('event'),
      data: scheduleFailed.example,
    };
    await service.publish(scheduleFailed, event);
    await service.publish(scheduleFailed, event);
    await service.publish(scheduleFailed, { ...event, subject: newId('schedule'), id: newId('event') });
    await eventually(() => expect(at('/twice')).toHaveLength(2));
    expect((await deliveriesOf(id)).map(delivery => delivery.status)).toHaveLength(2);
    expect(new Set(at('/twice').map(({ headers }) => headers['webhook-id'])).size).toBe(2);
  });

  it('is tried again after a 500, with the same id and body and a new time', async () => {
    const { id } = await register('/flaky');
    receiver.answer('/flaky', { status: 500 }, { status: 200 });
    const eventId = await publishJob();
    await eventually(async () =>
      expect(await deliveriesOf(id)).toMatchObject([
        { status: 'pending', attempts: [{ responseStatus: 500, error: 'answered 500' }] },
      ]),
    );
    await advance(6_000);
    await eventually(async () => expect(await deliveriesOf(id)).toMatchObject([{ status: 'delivered' }]));
    const [first, second] = at('/flaky') as [Received, Received];
    expect([first.headers['webhook-id'], second.headers['webhook-id']]).toEqual([eventId, eventId]);
    expect(second.body).toBe(first.body);
    expect(Number(second.headers['webhook-timestamp'])).toBeGreaterThan(
      Number(first.headers['webhook-timestamp']),
    );
  });

  it('waits as long as Retry-After asks', async () => {
    const { id } = await register('/later');
    receiver.answer('/later', { status: 503, headers: { 'retry-after': '600' } });
    await publishJob();
    await eventually(async () => expect((await deliveriesOf(id))[0]?.attempts).toHaveLength(1));
    const [delivery] = await deliveriesOf(id);
    const waitMs = Date.parse(delivery?.nextAttemptAt ?? '') - Date.now() - aheadMs;
    expect(waitMs).toBeGreaterThan(590_000);
    expect(waitMs).toBeLessThanOrEqual(600_000);
  });

  it.each([
    ['/moved', { status: 302, headers: { location: 'http://example.com/' } }, 'redirects are not followed'],
    ['/teapot', { status: 418 }, 'answered 418'],
  ])('counts the answer of %s as a failure', async (path, answer, error) => {
    const { id } = await register(path);
    receiver.answer(path, answer);
    await publishJob();
    await eventually(async () =>
      expect(await deliveriesOf(id)).toMatchObject([
        { status: 'pending', attempts: [{ error: expect.stringContaining(error) }] },
      ]),
    );
  });

  it('is delivered once by an answer of 2xx, however long, and the endpoint stays in use', async () => {
    const { id } = await register('/long');
    receiver.answer('/long', { status: 201, body: 'x'.repeat(200_000) });
    await publishJob();
    await publishJob();
    await eventually(async () =>
      expect(await deliveriesOf(id)).toMatchObject([
        { status: 'delivered', attempts: [{ responseStatus: 201, error: null }] },
        { status: 'delivered', attempts: [{ responseStatus: 201, error: null }] },
      ]),
    );
    expect(at('/long')).toHaveLength(2);
  });

  it('that meets 410 disables its endpoint at once and ends what waits', async () => {
    const { id } = await register('/gone');
    receiver.answer('/gone', { status: 500 }, { status: 410 });
    await publishJob();
    await eventually(async () => expect((await deliveriesOf(id))[0]?.attempts).toHaveLength(1));
    await publishJob();
    await eventually(async () => {
      const listed = await call('GET', '/v1/webhooks');
      expect(listed.body.data).toMatchObject([
        { status: 'disabled', disabledReason: 'the endpoint answered 410 Gone' },
      ]);
    });
    expect((await call('GET', '/v1/webhooks?status=disabled')).body.data).toMatchObject([{ id }]);
    expect((await call('GET', '/v1/webhooks?status=enabled')).body.data).toEqual([]);
    expect((await deliveriesOf(id)).map(({ status }) => status)).toEqual(['failed', 'failed']);
    const arrived = at('/gone').length;
    await publishJob();
    // Three jobs and the event that the endpoint was disabled.
    await eventually(async () => expect((await feed()).data).toHaveLength(4));
    expect((await feed()).data.find(({ type }) => type === 'webhook.disabled')).toMatchObject({
      sequence: 1,
      data: { id, status: 'disabled', disabledReason: 'the endpoint answered 410 Gone' },
    });
    expect(await deliveriesOf(id)).toHaveLength(2);
    expect(at('/gone')).toHaveLength(arrived);
    const enabled = await call('PATCH', `/v1/webhooks/${id}`, { status: 'enabled' });
    expect(enabled.body.data).toMatchObject({ status: 'enabled', disabledReason: null });
  });

  it('is disabled after 5 days in which attempts failed every day', async () => {
    const { id } = await register('/dead');
    receiver.answer('/dead', { status: 500 });
    await publishJob();
    for (let day = 1; day <= 5; day += 1) {
      await eventually(async () => expect((await deliveriesOf(id))[0]?.attempts).toHaveLength(day));
      await advance(dayMs);
    }
    await eventually(async () => {
      const listed = await call('GET', '/v1/webhooks');
      expect(listed.body.data).toMatchObject([
        { status: 'disabled', disabledReason: expect.stringContaining('5 days') },
      ]);
    });
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'failed', nextAttemptAt: null }]);
  }, 60_000);

  it('stays enabled if it accepted an event since, also if its failures were not cleared for it', async () => {
    const { id } = await register('/back');
    const failures = async () =>
      await service.db.query<{ since: Date | null; times: Date[]; days: string[] }>(
        `select failing_since as since, failed_at as times, failed_days::text[] as days from webhooks where id = $1`,
        [id],
      );
    receiver.answer('/back', { status: 500 });
    await publishJob();
    for (let day = 1; day <= 5; day += 1) {
      await eventually(async () => expect((await deliveriesOf(id)).at(-1)?.attempts).toHaveLength(day));
      if (day === 4) {
        const [before] = await failures();
        receiver.answer('/back', { status: 200 });
        await publishJob();
        await eventually(async () => expect((await failures())[0]?.since).toBeNull());
        // As if the process had been killed between the two writes.
        await service.db.query(
          'update webhooks set failing_since = $2, failed_at = $3, failed_days = $4 where id = $1',
          [id, before?.since, before?.times, before?.days],
        );
        receiver.answer('/back', { status: 500 });
      }
      await advance(dayMs);
    }
    await eventually(async () => expect((await deliveriesOf(id)).at(-1)?.attempts).toHaveLength(6));
    expect((await call('GET', '/v1/webhooks')).body.data).toMatchObject([{ id, status: 'enabled' }]);
    const [row] = await failures();
    expect(row?.times).toHaveLength(1);
  }, 60_000);

  it('stays enabled at one failure after days without an attempt', async () => {
    const { id } = await register('/rare');
    receiver.answer('/rare', { status: 502 });
    await publishJob();
    await eventually(async () => expect((await deliveriesOf(id))[0]?.attempts).toHaveLength(1));
    await advance(6 * dayMs);
    await eventually(async () => expect((await deliveriesOf(id))[0]?.attempts).toHaveLength(2));
    expect((await call('GET', '/v1/webhooks')).body.data).toMatchObject([{ id, status: 'enabled' }]);
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'pending' }]);
  });

  it('whose secret no key opens is a failed attempt with its reason, tried again by the plan', async () => {
    const { id } = await register('/sealed');
    await service.db.query(
      `update webhooks set secrets = jsonb_set(secrets, '{0,sealed}', to_jsonb('retired:' || split_part(secrets->0->>'sealed', ':', 2)))
       where id = $1`,
      [id],
    );
    await publishJob();
    await eventually(async () =>
      expect(await deliveriesOf(id)).toMatchObject([
        {
          status: 'pending',
          attempts: [{ responseStatus: null, error: expect.stringContaining('signing secret') }],
        },
      ]),
    );
    const tested = await call('POST', `/v1/webhooks/${id}/test`);
    expect(tested.status).toBe(200);
    await advance(6_000);
    await eventually(async () => expect((await deliveriesOf(id))[0]?.attempts).toHaveLength(2));
    await advance(330_000);
    await eventually(async () => expect((await deliveriesOf(id))[0]?.attempts).toHaveLength(3));
    expect(at('/sealed')).toHaveLength(0);
    const [row] = await service.db.query('select failing_since from webhooks where id = $1', [id]);
    expect(row).toEqual({ failing_since: null });
  });

  it('fails permanently after ten attempts', async () => {
    const { id } = await register('/never');
    receiver.answer('/never', { status: 500 });
    await publishJob();
    for (let made = 1; made <= 10; made += 1) {
      await eventually(async () => expect((await deliveriesOf(id))[0]?.attempts).toHaveLength(made));
      // Five days of failure are covered by another test: reset the endpoint's failures.
      await service.db.query('update webhooks set failing_since = null where id = $1', [id]);
      await advance(27 * 3_600_000);
    }
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'failed', nextAttemptAt: null }]);
  }, 60_000);

  it('of a resource waits for the first attempt of the one before, others do not', async () => {
    const { id } = await register('/order');
    receiver.answer('/order', 'hang');
    const first = newId('content');
    await publishJob(first);
    await eventually(() => expect(at('/order')).toHaveLength(1));
    receiver.answer('/order', { status: 200 });
    // The next event of the same resource, with the sequence that content would give it.
    const [row] = await service.db.query<{ id: string }>(
      `insert into feed_events (id, account_id, position, type, resource, sequence, data, created_at)
       select 'event_next', account_id, 1000, type, resource, sequence + 1, data, created_at from feed_events
       where account_id = $1 returning id`,
      [owner.accountId],
    );
    await service.db.query(
      `insert into deliveries (id, webhook_id, event_id, event_type, resource, sequence, next_attempt_at, created_at, updated_at)
       select 'delivery_next', $1, $2, type, resource, sequence, now() - interval '1 day', now(), now()
       from feed_events where id = $2`,
      [id, row?.id],
    );
    await publishJob();
    await eventually(() => expect(at('/order')).toHaveLength(2));
    expect(at('/order').map(({ headers }) => headers['webhook-id'])).not.toContain('event_next');
  });

  it('in flight at a dead worker is taken over when its lease ends', async () => {
    const { id } = await register('/taken');
    receiver.answer('/taken', { status: 500 });
    await publishJob();
    await eventually(async () => expect((await deliveriesOf(id))[0]?.attempts).toHaveLength(1));
    receiver.answer('/taken', { status: 200 });
    // The state after a process is killed during a claim: a lease of 6 s that is not renewed.
    await service.db.query(
      `update deliveries set lease_token = 'dead', next_attempt_at = $2 where webhook_id = $1`,
      [id, new Date(Date.now() + aheadMs + 6_000)],
    );
    await advance(6_000);
    await eventually(async () => expect(await deliveriesOf(id)).toMatchObject([{ status: 'delivered' }]));
    expect(at('/taken')).toHaveLength(2);
  });

  it('to an endpoint that hangs holds up no other', async () => {
    const { id } = await register('/hanging');
    receiver.answer('/hanging', 'hang');
    await call('POST', '/v1/webhooks', { url: receiver.url('/quick'), events: ['job.completed'] });
    for (let count = 0; count < 40; count += 1) await publishJob();
    await eventually(() => expect(at('/quick')).toHaveLength(40));
    expect(at('/hanging')).toHaveLength(4);
    await call('DELETE', `/v1/webhooks/${id}`);
  });
});

describe('POST /v1/webhooks/{id}/test', () => {
  it('sends a marked, signed event and answers its attempt', async () => {
    const { id, secret } = await register('/test');
    const { status, body } = await call('POST', `/v1/webhooks/${id}/test`);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      at: expect.any(String),
      responseStatus: 200,
      durationMs: expect.any(Number),
      error: null,
    });
    const [sent] = at('/test') as [Received];
    // The clock of these tests runs ahead, so the verifier's is set to the time of the attempt.
    const payload = JSON.parse(sent.body);
    expect(sent.headers['x-service-signature']).toBe(
      createHmac('sha256', secret).update(sent.body).digest('hex'),
    );
    expect(payload).toMatchObject({ type: 'webhook.test', data: { test: true, webhookId: id } });
    expect((await feed()).data).toEqual([]);
  });
});

describe('POST /v1/webhooks/{id}/rotate', () => {
  it('answers a new secret; both sign until the overlap ends, then the new one alone', async () => {
    const { id, secret: old } = await register('/rotate');
    const { body } = await call('POST', `/v1/webhooks/${id}/rotate`, { overlapHours: 2 });
    const secret = body.data.secret as string;
    expect(secret).not.toBe(old);
    await call('POST', `/v1/webhooks/${id}/test`);
    const overlapping = at('/rotate')[0] as Received;
    expect(signs(old, overlapping)).toBe(true);
    expect(signs(secret, overlapping)).toBe(true);
    await advance(2 * 3_600_000 + 1_000);
    await call('POST', `/v1/webhooks/${id}/test`);
    const after = at('/rotate')[1] as Received;
    expect(signs(old, after)).toBe(false);
    expect(signs(secret, after)).toBe(true);
    const [event] = await service.db.query<{ headers: Record<string, string>; payload: string }>(
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
  it('sends again with the same id; refused while the endpoint is disabled', async () => {
    const { id } = await register('/replay');
    const eventId = await publishJob();
    await eventually(async () => expect(await deliveriesOf(id)).toMatchObject([{ status: 'delivered' }]));
    const [delivery] = await deliveriesOf(id);
    const path = `/v1/webhooks/${id}/deliveries/${delivery?.id}/replay`;
    const { status, body } = await call('POST', path);
    expect([status, body.data.status]).toEqual([200, 'pending']);
    await eventually(async () => expect((await deliveriesOf(id))[0]?.attempts).toHaveLength(2));
    expect(at('/replay').map(({ headers }) => headers['webhook-id'])).toEqual([eventId, eventId]);
    await call('PATCH', `/v1/webhooks/${id}`, { status: 'disabled' });
    expect((await call('POST', path)).status).toBe(400);
    const missing = `/v1/webhooks/${id}/deliveries/delivery_none/replay`;
    await call('PATCH', `/v1/webhooks/${id}`, { status: 'enabled' });
    expect((await call('POST', missing)).status).toBe(404);
  });
});

describe('POST /v1/webhooks/{id}/replay', () => {
  it('sends what failed since a time again, or everything; refused while disabled', async () => {
    const { id } = await register('/replays');
    const path = `/v1/webhooks/${id}/replay`;
    const eventIds = [await publishJob(), await publishJob(), await publishJob()];
    const isDelivered = () =>
      eventually(async () =>
        expect((await deliveriesOf(id)).map(({ status }) => status)).toEqual(eventIds.map(() => 'delivered')),
      );
    await isDelivered();
    const [newest, ...older] = await deliveriesOf(id);
    await service.db.query(
      `update deliveries set status = 'failed', created_at = created_at - interval '1 day' where id = $1`,
      [newest?.id],
    );
    const sentAgain = async (body: unknown, count: number) => {
      receiver.received.length = 0;
      const answer = await call('POST', path, body);
      expect([answer.status, answer.body.data]).toEqual([202, { replayed: count }]);
      await isDelivered();
      return at('/replays').map(({ headers }) => headers['webhook-id']);
    };
    const ago = (ms: number) => new Date(Date.now() + aheadMs - ms).toISOString();
    const since = ago(2 * dayMs);
    expect(await sentAgain({ since }, 1)).toEqual([newest?.eventId]);
    const lastHour = await sentAgain({ since: ago(3_600_000), status: 'all' }, 2);
    expect(lastHour.toSorted()).toEqual(older.map(({ eventId }) => eventId).toSorted());
    expect(await sentAgain({ since: ago(-3_600_000), status: 'all' }, 0)).toEqual([]);
    const strange = await call('POST', path, { since: 'yesterday' });
    expect([strange.status, strange.body.error.message]).toEqual([
      400,
      'since must be an ISO 8601 time with an offset, such as 2026-12-01T09:00:00Z',
    ]);
    await call('PATCH', `/v1/webhooks/${id}`, { status: 'disabled' });
    expect((await call('POST', path, { since })).status).toBe(400);
  });

  it('refuses more than 10,000 and changes none of them', async () => {
    const { id } = await register('/too-many');
    await service.db.query(
      `insert into deliveries (id, webhook_id, event_id, event_type, resource, sequence, status, created_at, updated_at)
       select 'd' || $1 || n, $1, 'e' || n, 'job.completed', 'job:x', n, 'failed', now(), now()
       from generate_series(1, 10001) n`,
      [id],
    );
    const answer = await call('POST', `/v1/webhooks/${id}/replay`, { since: '2026-01-01T00:00:00Z' });
    expect([answer.status, answer.body.error.message]).toEqual([
      400,
      'since must be a later time: more than 10,000 deliveries would be sent again',
    ]);
    const left = await call('GET', `/v1/webhooks/${id}/deliveries?status=pending`);
    expect(left.body.data).toEqual([]);
  });
});

describe('GET /v1/webhooks/{id}', () => {
  it('answers the record without the secret', async () => {
    const { id } = await register('/one');
    const { body, text } = await call('GET', `/v1/webhooks/${id}`);
    expect(body.data).toMatchObject({ id, url: receiver.url('/one'), status: 'enabled' });
    expect(text).not.toContain('whsec_');
  });
});

type Feed = {
  data: { id: string; type: string; sequence: number }[];
  nextCursor: string;
  previousCursor?: string | null;
};
async function feed(query = '', caller: Caller = owner): Promise<Feed> {
  return (await call('GET', `/v1/events${query}`, undefined, caller)).body as unknown as Feed;
}

describe('GET /v1/events', () => {
  it('reads oldest first, from the cursor on, always with a cursor, each account its own', async () => {
    owner = testCaller();
    const empty = await feed();
    expect(empty).toEqual({ data: [], nextCursor: expect.any(String) });
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      ids.push(await publishJob());
      await eventually(async () => expect((await feed()).data).toHaveLength(count + 1));
    }
    const first = await feed('?limit=2');
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const second = await feed(`?after=${first.nextCursor}`);
    expect(second.data.map(({ id }) => id)).toEqual(ids.slice(2));
    const last = await feed(`?after=${second.nextCursor}`);
    expect(last).toEqual({ data: [], nextCursor: second.nextCursor });
    expect((await feed(`?after=${empty.nextCursor}`)).data).toHaveLength(5);
    expect((await feed('', stranger)).data).toEqual([]);
    expect((await call('GET', '/v1/events?after=nonsense')).status).toBe(400);

    const newest = await feed('?order=newest&limit=3');
    expect(newest.data.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 3));
    const older = await feed(`?order=newest&limit=3&before=${newest.previousCursor}`);
    expect(older).toMatchObject({ data: [{ id: ids[1] }, { id: ids[0] }], previousCursor: null });
    // What comes after the newest is followed forward.
    expect(await feed(`?after=${newest.nextCursor}`)).toEqual({ data: [], nextCursor: second.nextCursor });
    expect(await feed('?order=newest', stranger)).toMatchObject({ data: [], previousCursor: null });
    expect((await call('GET', '/v1/events?order=newest&before=nonsense')).status).toBe(400);
  });

  it('gives a content to a key with content:read, and its id alone to another', async () => {
    owner = testCaller();
    const content = { ...contentApproved.example.content, id: newId('content') };
    const data = { content, origin: null };
    await service.publish(contentApproved, { subject: content.id, accountId: owner.accountId, data });
    const dataFor = async (scopes: Caller['scopes']) =>
      (await feed('', { ...owner, scopes })).data.map(event => (event as unknown as Body).data);
    await eventually(async () => expect(await dataFor(['webhooks:write'])).toEqual([{ id: content.id }]));
    expect(await dataFor(['webhooks:write', 'content:read'])).toEqual([
      expect.objectContaining({ id: content.id, result: content.result, images: expect.any(Array) }),
    ]);
  });

  it('gives a poller every event exactly once while many arrive', async () => {
    owner = testCaller();
    const sent = Promise.all(Array.from({ length: 60 }, () => publishJob()));
    const seen: string[] = [];
    let cursor = '';
    await eventually(async () => {
      const page = await feed(cursor ? `?after=${cursor}&limit=7` : '?limit=7');
      cursor = page.nextCursor;
      seen.push(...page.data.map(({ id }) => id));
      expect(seen.length).toBeGreaterThanOrEqual(60);
    }, 15_000);
    expect(seen.toSorted()).toEqual((await sent).toSorted());
  });
});
