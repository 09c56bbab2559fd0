import { automationScheduleRequested, contentApproved, contentRejected } from '@hookline/shared/events';
import { newId } from '@hookline/shared/kernel';
import { dayMs } from '@hookline/shared/kernel/durations';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { describe, expect, it } from 'vitest';
import { inMs, type Json, startWorld } from './world.ts';

const world = perSuite(startWorld);

async function waiting(ms = 3_600_000) {
  const ready = await world.ready();
  const created = await world.schedule(ready.caller, {
    contentId: ready.content.id,
    tiktokAccountId: ready.account.id,
    scheduledFor: inMs(ms),
  });
  expect(created.status).toBe(201);
  return { ...ready, id: created.body.data.id as string };
}

const code = (answer: { status: number; body: Json }) => [answer.status, answer.body.error?.code];

describe('externalId and metadata', () => {
  it('are answered, listed and in events as given; a change replaces them and null clears them', async () => {
    const { caller, content, account } = await world.ready();
    const own = { externalId: 'row-7', metadata: { sheet: 'may' } };
    const body = {
      contentId: content.id,
      tiktokAccountId: account.id,
      scheduledFor: inMs(3_600_000),
      ...own,
    };
    const { data } = (await world.schedule(caller, body)).body;
    expect(data).toMatchObject(own);
    const find = async (query: string) => {
      const listed = await world.call(caller, 'GET', `/v1/schedules?${query}`);
      return listed.body.data.map(({ id }: { id: string }) => id);
    };
    expect(await find('externalId=row-7')).toEqual([data.id]);
    expect(await find(`externalId=row-7&from=${inMs(-60_000)}`)).toEqual([data.id]);
    expect(await find('externalId=row-8')).toEqual([]);
    expect(await find(`externalId=row-8&from=${inMs(-60_000)}`)).toEqual([]);
    const change = async (fields: object) =>
      (await world.call(caller, 'PATCH', `/v1/schedules/${data.id}`, fields)).body.data;
    expect(await change({ title: 'Another' })).toMatchObject(own);
    expect(await change({ externalId: 'row-8', metadata: { note: '' } })).toMatchObject({
      externalId: 'row-8',
      metadata: { note: '' },
    });
    const cleared = await change({ externalId: null, metadata: null });
    expect(cleared).toMatchObject({ externalId: null, metadata: null });
    await eventually(() => {
      const created = world.service.published.find(({ key }) => key === data.id);
      expect(String(created?.value)).toContain('"externalId":"row-7","metadata":{"sheet":"may"}');
    });
  });
  it.each([
    ['externalId', { externalId: ' ' }],
    ['metadata.sheet', { metadata: { sheet: 7 } }],
  ])('400 naming %s for a change to %j', async (field, fields) => {
    const { caller, id } = await waiting();
    const answer = await world.call(caller, 'PATCH', `/v1/schedules/${id}`, fields);
    expect(code(answer)).toEqual([400, 'invalid_request']);
    expect(answer.body.error.message).toMatch(new RegExp(`^${field} `));
  });
});

describe('DELETE /v1/schedules/{id}', () => {
  it('DELETE withdraws a waiting schedule and publishes schedule.deleted', async () => {
    const { caller, id, content, account } = await waiting();
    const answer = await world.call(caller, 'DELETE', `/v1/schedules/${id}`);
    expect(answer.body).toEqual({ data: { id, deleted: true } });
    expect(code(await world.call(caller, 'GET', `/v1/schedules/${id}`))).toEqual([404, 'not_found']);
    await eventually(() => {
      const types = world.service.published.filter(message => message.key === id).map(m => m.headers.ce_type);
      expect(types).toEqual(['schedule.created', 'schedule.deleted']);
    });
    const body = { contentId: content.id, tiktokAccountId: account.id, scheduledFor: inMs(60_000) };
    expect((await world.schedule(caller, body)).status).toBe(201);
  });
  it("a revoked key's waiting schedules are withdrawn, those of its account alone", async () => {
    const { caller, id } = await waiting();
    const { keyId } = caller;
    const ask = (path: string, by = caller) =>
      world.call(by, 'POST', `/internal/schedules-of-key${path}`, { keyId });
    const shown = (await world.call(caller, 'GET', `/v1/schedules/${id}`)).body.data;
    expect(shown.createdBy).toMatchObject({ kind: 'key', id: keyId });
    expect((await ask('')).body).toMatchObject({ schedules: [{ id }], more: false });
    expect((await ask('/withdraw', testCaller())).body).toEqual({ scheduleIds: [], more: false });
    expect((await ask('/withdraw')).body).toEqual({ scheduleIds: [id], more: false });
    expect((await ask('/withdraw')).body).toEqual({ scheduleIds: [], more: false });
    expect(code(await world.call(caller, 'GET', `/v1/schedules/${id}`))).toEqual([404, 'not_found']);
  });
  it('what a revoked key moved, or its automation made, is withdrawn', async () => {
    const { caller, id, content, account } = await waiting();
    const leaked = { ...caller, keyId: newId('key') };
    const ofKey = async (): Promise<string[]> => {
      const { body } = await world.call(caller, 'POST', '/internal/schedules-of-key', {
        keyId: leaked.keyId,
      });
      return body.schedules.map((schedule: { id: string }) => schedule.id);
    };
    expect(await ofKey()).toEqual([]);
    await world.call(leaked, 'PATCH', `/v1/schedules/${id}`, { scheduledFor: inMs(120_000) });
    expect(await ofKey()).toEqual([id]);
    // A person's later change leaves the key's mark.
    await world.call({ ...caller, keyId: null }, 'PATCH', `/v1/schedules/${id}`, {
      scheduledFor: inMs(180_000),
    });
    expect(await ofKey()).toEqual([id]);
    expect((await world.call(caller, 'DELETE', `/v1/schedules/${id}`)).status).toBe(200);

    const [automationId, firingId] = [newId('automation'), newId('firing')];
    content.origin = { automationId, firingId };
    await world.service.publish(automationScheduleRequested, {
      subject: automationId,
      accountId: caller.accountId,
      data: {
        ...{ automationId, firingId, contentId: content.id, tiktokAccountId: account.id },
        ...{ scheduledFor: inMs(60_000), mode: 'draft', privacyLevel: null, keyIds: [leaked.keyId] },
      },
    });
    await eventually(async () => expect(await ofKey()).toHaveLength(1));
    const withdraw = () =>
      world.call(caller, 'POST', '/internal/schedules-of-key/withdraw', { keyId: leaked.keyId });
    expect((await withdraw()).body.scheduleIds).toHaveLength(1);
    expect((await withdraw()).body).toEqual({ scheduleIds: [], more: false });
  });
  it('DELETE answers 502 queue_unavailable when the row cannot be locked within 5 s, and deletes nothing', async () => {
    const { caller, id } = await waiting();
    await world.service.db.transaction(async tx => {
      await tx.query('select 1 from schedules where id = $1 for update', [id]);
      const answer = await world.call(caller, 'DELETE', `/v1/schedules/${id}`);
      expect(code(answer)).toEqual([502, 'queue_unavailable']);
    });
    expect((await world.call(caller, 'GET', `/v1/schedules/${id}`)).body.data.status).toBe('pending');
  }, 15_000);
});

describe('PATCH /v1/schedules/{id}', () => {
  it('PATCH changes everything else under the checks of a creation, and what is not named stays', async () => {
    const { caller, id, content, username } = await waiting();
    const patch = (body: object, by = caller) => world.call(by, 'PATCH', `/v1/schedules/${id}`, body);
    const before = (await world.call(caller, 'GET', `/v1/schedules/${id}`)).body.data;
    const own = { title: 'Mine', description: 'My own words', aiGenerated: false, brandOrganic: true };
    const changed = await patch({ ...own, autoAddMusic: false, disableComment: true });
    expect(changed.body.data).toMatchObject({
      ...own,
      autoAddMusic: false,
      disableComment: true,
      mode: 'draft',
    });
    expect(changed.body.data.scheduledFor).toBe(before.scheduledFor);
    // A caller without the power over texts and label changes the rest and keeps both.
    const writer = {
      ...caller,
      scopes: ['schedules:write' as const],
      approvalPolicy: { ...caller.approvalPolicy, postTexts: 'approved_only' as const },
    };
    const byWriter = await patch({ brandOrganic: false }, writer);
    expect(byWriter.body.data).toMatchObject({ ...own, brandOrganic: false });
    for (const refused of [{ title: 'Theirs' }, { aiGenerated: false }, { mode: 'publish' }]) {
      expect(code(await patch(refused, writer))).toEqual([403, 'missing_scope']);
    }
    expect(code(await patch({ mode: 'publish' }))).toEqual([400, 'missing_privacy_level']);
    expect(code(await patch({ mode: 'publish', privacyLevel: 'EVERYBODY' }))).toEqual([
      400,
      'invalid_privacy_level',
    ]);
    expect(code(await patch({ tiktokAccountId: 'account_none' }))).toEqual([404, 'account_not_found']);
    const back = await patch({ title: null, description: null, mode: 'publish', privacyLevel: 'SELF_ONLY' });
    const { title, description } = before;
    expect(back.body.data).toMatchObject({ title, description, mode: 'publish', privacyLevel: 'SELF_ONLY' });
    const { timeline } = (await world.call(caller, 'GET', `/v1/schedules/${id}`)).body.data;
    expect(timeline.at(-1)).toMatchObject({
      what: 'changed',
      detail: 'mode, privacyLevel, title, description',
    });

    const second = await world.connect(caller, { username: await world.newCreator() });
    const elsewhere = { contentId: content.id, tiktokAccountId: second.id, scheduledFor: inMs(3_600_000) };
    const other = (await world.schedule(caller, elsewhere)).body.data;
    expect(code(await patch({ tiktokAccountId: second.id }))).toEqual([409, 'already_scheduled']);
    expect((await world.call(caller, 'DELETE', `/v1/schedules/${other.id}`)).status).toBe(200);
    const sent = await patch({ tiktokAccountId: second.id, scheduledFor: inMs(100) });
    expect(sent.body.data).toMatchObject({ tiktokAccountId: second.id });
    expect((await world.over(caller, id)).status).toBe('sent');
    expect(await world.posts(username)).toEqual([]);
    expect(await world.posts(second.username)).toMatchObject([{ privacyLevel: 'SELF_ONLY', isAigc: false }]);
    expect(code(await patch({ title: 'Late' }))).toEqual([409, 'already_sent']);
  }, 30_000);
  it('PATCH by two at once changes one and answers the other 409, or both in turn', async () => {
    const { caller, id } = await waiting();
    const answers = await Promise.all(
      ['one', 'two', 'three'].map(title => world.call(caller, 'PATCH', `/v1/schedules/${id}`, { title })),
    );
    const done = answers.filter(({ status }) => status === 200).map(({ body }) => body.data.title);
    expect(done.length).toBeGreaterThan(0);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(code(answer)).toEqual([409, 'invalid_request']);
    }
    const { title } = (await world.call(caller, 'GET', `/v1/schedules/${id}`)).body.data;
    expect(done).toContain(title);
  });
  it('PATCH answers 400 without a field or beyond 365 days; without schedules:publish both PATCH and DELETE answer 403', async () => {
    const { caller, content, account } = await world.ready();
    const created = await world.schedule(caller, {
      contentId: content.id,
      tiktokAccountId: account.id,
      scheduledFor: inMs(60_000),
      mode: 'publish',
      privacyLevel: 'SELF_ONLY',
    });
    const path = `/v1/schedules/${created.body.data.id}`;
    const far = await world.call(caller, 'PATCH', path, { scheduledFor: inMs(366 * dayMs) });
    expect(code(far)).toEqual([400, 'invalid_request']);
    expect(code(await world.call(caller, 'PATCH', path, {}))).toEqual([400, 'invalid_request']);
    const weak = { ...caller, scopes: ['schedules:write' as const] };
    const answer = await world.call(weak, 'PATCH', path, { scheduledFor: inMs(90_000) });
    expect(code(answer)).toEqual([403, 'missing_scope']);
    expect(code(await world.call(weak, 'DELETE', path))).toEqual([403, 'missing_scope']);
    expect((await world.call(caller, 'GET', path)).body.data.status).toBe('pending');
    expect((await world.call(caller, 'DELETE', path)).status).toBe(200);
  });
});

describe('the approval at send time', () => {
  const approve = (accountId: string, content: Json) =>
    world.service.publish(contentApproved, {
      subject: content.id,
      accountId,
      data: { ...contentApproved.example, content: { ...content, approvalStatus: 'approved' }, origin: null },
    });

  it('an edit holds its schedule until it is approved, and then the new version is sent', async () => {
    const { caller, content, id, username } = await waiting(300);
    Object.assign(content, { approvalStatus: 'pending', version: 2 });
    content.result!.hook = '7 new habits';
    await eventually(async () => {
      const { body } = await world.call(caller, 'GET', `/v1/schedules/${id}`);
      expect(body.data.timeline.map((row: Json) => row.what)).toContain('held');
      expect(body.data.status).toBe('pending');
    });
    content.approvalStatus = 'approved';
    await approve(caller.accountId, content);
    const done = await world.over(caller, id);
    expect(done).toMatchObject({ status: 'sent', contentVersion: 2, title: '7 new habits' });
    const [post] = await world.posts(username);
    expect(post.title).toBe('7 new habits');
  });
  it('a rejected edit ends its schedule, however far its time; the scheduled version may be approved again', async () => {
    const [same, edited] = [await waiting(), await waiting()];
    const reject = ({ caller, content }: typeof same, version: number) =>
      world.service.publish(contentRejected, {
        subject: content.id,
        accountId: caller.accountId,
        data: {
          ...contentApproved.example,
          content: { ...content, version, approvalStatus: 'rejected' },
          origin: null,
        },
      });
    await reject(same, 1);
    await reject(edited, 2);
    const { caller, id } = edited;
    const done = await world.over(caller, id);
    expect(done.failure).toMatchObject({ code: 'not_approved', category: 'content', retryable: false });
    expect(done.timeline.map((row: Json) => row.what)).toEqual(['created', 'failed']);
    await eventually(() => {
      const seen = world.service.published.filter(m => m.key === id).map(m => m.headers.ce_type);
      expect(seen).toEqual(['schedule.created', 'schedule.failed']);
    });
    const still = await world.call(same.caller, 'GET', `/v1/schedules/${same.id}`);
    expect(still.body.data.status).toBe('pending');
  });
  it('a rejection that is heard after a later approval ends nothing', async () => {
    const { caller, content, id } = await waiting();
    const approved = { ...contentApproved.example, content: { ...content, version: 3 }, origin: null };
    const event = { subject: content.id, accountId: caller.accountId };
    await world.service.publish(contentApproved, { ...event, data: approved, sequence: 5 });
    const rejected = {
      ...contentApproved.example,
      content: { ...content, version: 2, approvalStatus: 'rejected' },
      origin: null,
    };
    const publishedAs = { id: newId('event'), sequence: 4 };
    await world.service.publish(contentRejected, { ...event, data: rejected, ...publishedAs });
    const isTaken = 'select from inbox where event_id = $1';
    await eventually(async () =>
      expect(await world.service.db.query(isTaken, [publishedAs.id])).not.toEqual([]),
    );
    const still = await world.call(caller, 'GET', `/v1/schedules/${id}`);
    expect(still.body.data.status).toBe('pending');
    await world.service.publish(contentRejected, { ...event, data: rejected, sequence: 6 });
    expect((await world.over(caller, id)).failure).toMatchObject({ code: 'not_approved' });
  });
  it('an edit without a decision ends its schedule as not_approved 24 h past its time', async () => {
    const { caller, content, id } = await waiting(200);
    content.approvalStatus = 'pending';
    await world.service.db.query(
      `update schedules set scheduled_for = now() - interval '25 hours', due_at = now() where id = $1`,
      [id],
    );
    expect((await world.over(caller, id)).failure.code).toBe('not_approved');
  });
});

describe('GET /v1/schedules', () => {
  it('GET /v1/schedules lists the newest first, filters, and pages', async () => {
    const { caller, account } = await world.ready();
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const content = world.content.addDeck(caller.accountId);
      const body = { contentId: content.id, tiktokAccountId: account.id, scheduledFor: inMs(3_600_000) };
      ids.unshift((await world.schedule(caller, body)).body.data.id);
    }
    const all = await world.call(caller, 'GET', '/v1/schedules');
    expect(all.body.nextCursor).toBeNull();
    expect(all.body.data.map((row: Json) => row.id).sort()).toEqual([...ids].sort());
    const first = await world.call(caller, 'GET', '/v1/schedules?limit=2');
    const rest = await world.call(caller, 'GET', `/v1/schedules?limit=2&cursor=${first.body.nextCursor}`);
    expect([...first.body.data, ...rest.body.data]).toEqual(all.body.data);
    expect(rest.body.nextCursor).toBeNull();
    expect((await world.call(caller, 'GET', '/v1/schedules?status=sent')).body.data).toEqual([]);
  });
  it("GET /v1/schedules?from&to lists one account's earliest first, in pages, without the end", async () => {
    const { caller, account } = await world.ready();
    const day = new Date(Date.now() + 30 * dayMs).toISOString().slice(0, 10);
    const onDay = (hours: number) => `${day}T${String(hours).padStart(2, '0')}:00:00.000Z`;
    const ids = new Map<number, string>();
    for (const hours of [9, 7, 8, 10]) {
      const content = world.content.addDeck(caller.accountId);
      const body = { contentId: content.id, tiktokAccountId: account.id, scheduledFor: onDay(hours) };
      ids.set(hours, (await world.schedule(caller, body)).body.data.id);
    }
    const list = async (query: string) => (await world.call(caller, 'GET', `/v1/schedules?${query}`)).body;
    const idsOf = (page: Json) => page.data.map((row: Json) => row.id);
    const range = `from=${onDay(7)}&to=${onDay(10)}`;
    expect(idsOf(await list(range))).toEqual([7, 8, 9].map(hours => ids.get(hours)));
    const first = await list(`${range}&limit=2&tiktokAccountId=${account.id}`);
    const rest = await list(`${range}&limit=2&tiktokAccountId=${account.id}&cursor=${first.nextCursor}`);
    expect([...idsOf(first), ...idsOf(rest), rest.nextCursor]).toEqual([
      ...[7, 8, 9].map(hours => ids.get(hours)),
      null,
    ]);
    expect(idsOf(await list(`from=${onDay(9)}`))).toEqual([ids.get(9), ids.get(10)]);
    expect(idsOf(await list(`to=${onDay(8)}`))).toEqual([ids.get(7)]);
    expect(idsOf(await list('tiktokAccountId=account_none'))).toEqual([]);
    expect(idsOf(await list(`tiktokAccountId=${account.id}`))).toHaveLength(4);
    // Compared as times: this text is the greater one.
    const berlin = `${day}T08:30:00%2B01:00`;
    expect(idsOf(await list(`from=${berlin}&to=${onDay(8).replace(':00:00.000', ':30:00')}`))).toEqual([
      ids.get(8),
    ]);
    const turned = await list(`from=${onDay(9)}&to=${onDay(9)}`);
    expect(turned.error).toMatchObject({ code: 'invalid_request', message: 'to must be later than from' });
  });
});
