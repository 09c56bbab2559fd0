/** Posting without an app at the platform: a person posts what is due and says so. */
import { contentApproved, contentEdited, contentRejected } from '@hookline/shared/events';
import { newId } from '@hookline/shared/kernel';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { expect, it } from 'vitest';
import { type Answer, inMs, type Json, startWorld } from './world.ts';

const world = perSuite(startWorld);

const url = 'https://www.tiktok.com/@maya.makes/photo/7543210987654321098';

async function phone() {
  const caller = testCaller();
  const added = await world.call(caller, 'POST', '/v1/accounts/phone', { name: 'Maya makes' });
  const content = world.content.addDeck(caller.accountId, {});
  const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
    world.call(caller, method, path, body);
  const schedule = async (scheduledFor: string): Promise<string> => {
    const body = { contentId: content.id, tiktokAccountId: added.body.data.id, scheduledFor };
    return (await ask('POST', '/v1/schedules', body)).body.data.id;
  };
  const read = async (id: string): Promise<Json> => (await ask('GET', `/v1/schedules/${id}`)).body.data;
  const due = async (): Promise<string> => {
    const id = await schedule(inMs(20));
    await eventually(async () => expect((await read(id)).status).toBe('due'));
    return id;
  };
  return { caller, account: added.body.data, content, ask, schedule, read, due };
}

const expectEvents = (id: string, types: readonly string[]): Promise<void> =>
  eventually(async () => {
    const own = world.service.published.filter(({ key }) => key === id);
    expect(own.map(({ headers }) => headers.ce_type)).toEqual(types);
  });

it('an account of kind phone is listed, and posts nothing that nobody posted', async () => {
  const { account, ask, due, read } = await phone();
  expect(account).toMatchObject({
    ...{ platform: 'tiktok', kind: 'phone', displayName: 'Maya makes', username: null },
    ...{ status: 'connected', canPublish: false, privacyLevels: [] },
  });
  expect((await ask('GET', '/v1/accounts')).body.data).toEqual([account]);
  const id = await due();
  const schedule = await read(id);
  expect(schedule).toMatchObject({ mode: 'phone', outcome: null, sentAt: null, platformPostUrl: null });
  expect(schedule.timeline.map((line: Json) => line.what)).toEqual(['created', 'sending', 'due']);
  await expectEvents(id, ['schedule.created', 'schedule.due']);
  // Its content can be decided on: what waits for a person has no permit.
  expect(world.content.permits.has(id)).toBe(false);
});

it('a post that is handed over late is handed over, even if its content cannot be read at first', async () => {
  const { schedule, read } = await phone();
  const id = await schedule(inMs(60_000));
  world.content.readsAfter = Promise.reject(new Error('away'));
  world.content.readsAfter.catch(() => {});
  await world.service.db.query(
    "update schedules set scheduled_for = now() - interval '3 h', due_at = now() where id = $1",
    [id],
  );
  const whats = async () => (await read(id)).timeline.map((line: Json) => line.what);
  await eventually(async () => expect(await whats()).toContain('put_off'));
  world.content.readsAfter = null;
  await eventually(async () => expect((await read(id)).status).toBe('due'));
});

it('PATCH renames an account of kind phone, and refuses an empty name', async () => {
  const { account, ask } = await phone();
  const path = `/v1/accounts/${account.id}`;
  expect((await ask('PATCH', path, { name: 'Maya draws' })).body.data.displayName).toBe('Maya draws');
  const refused = await ask('PATCH', path, { name: ' ' });
  expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringMatching(/^name must be/)]);
  expect((await ask('GET', '/v1/accounts')).body.data).toMatchObject([
    { displayName: 'Maya draws', slots: [] },
  ]);
});

it('POST posted ends it as sent, with the address of the post; a repeat returns the same record', async () => {
  const { ask, due, read } = await phone();
  const id = await due();
  const first = await ask('POST', `/v1/schedules/${id}/posted`);
  expect([first.status, first.body.data]).toMatchObject([200, { status: 'sent', outcome: 'published' }]);
  const second = await ask('POST', `/v1/schedules/${id}/posted`, { url });
  expect(second.body.data).toMatchObject({ platformPostUrl: url, sentAt: first.body.data.sentAt });
  const third = await ask('POST', `/v1/schedules/${id}/posted`, { url: `${url}1` });
  expect(third.body.data.platformPostUrl).toBe(url);
  expect((await read(id)).timeline.map((line: Json) => line.what)).toEqual([
    ...['created', 'sending', 'due', 'posted_by_hand', 'sent'],
  ]);
  await expectEvents(id, ['schedule.created', 'schedule.due', 'schedule.published']);
});

it('two people at once post it once', async () => {
  const { ask, due } = await phone();
  const id = await due();
  const answers = await Promise.all([1, 2, 3, 4].map(() => ask('POST', `/v1/schedules/${id}/posted`)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  await expectEvents(id, ['schedule.created', 'schedule.due', 'schedule.published']);
});

const reject = ({ caller, content }: Awaited<ReturnType<typeof phone>>, time: string) =>
  world.service.publish(contentRejected, {
    ...{ subject: content.id, accountId: caller.accountId, time },
    data: {
      ...contentRejected.example,
      content: { ...content, approvalStatus: 'rejected' },
      origin: null,
    },
  });

it('a rejection ends what is due, but not what was made after it', async () => {
  const [older, newer] = [await phone(), await phone()];
  const [ended, kept] = [await older.due(), await newer.due()];
  await reject(newer, inMs(-60_000));
  await reject(older, inMs(60_000));
  await eventually(async () => expect((await older.read(ended)).status).toBe('failed'));
  const failure = { code: 'not_approved', category: 'content', retryable: false };
  expect(await older.read(ended)).toMatchObject({ failure });
  await expectEvents(ended, ['schedule.created', 'schedule.due', 'schedule.failed']);
  expect((await newer.read(kept)).status).toBe('due');
});

it('a rejection ends what is about to become due', async () => {
  const made = await phone();
  const gate = Promise.withResolvers<void>();
  const id = await made.schedule(inMs(20));
  world.content.readsAfter = gate.promise;
  await eventually(async () => expect((await made.read(id)).status).toBe('sending'));
  await reject(made, inMs(60_000));
  await eventually(async () => expect((await made.read(id)).status).toBe('failed'));
  world.content.readsAfter = null;
  gate.resolve();
  await expectEvents(id, ['schedule.created', 'schedule.failed']);
  expect((await made.read(id)).status).toBe('failed');
});

type Made = Awaited<ReturnType<typeof phone>>;

/** The deck has another version, which nobody has decided on. */
async function edit({ caller, content }: Made, sequence = 10): Promise<void> {
  content.approvalStatus = 'pending';
  content.version += 1;
  const event = { subject: content.id, accountId: caller.accountId, sequence };
  await world.service.publish(contentEdited, { ...event, data: { version: content.version } });
}
async function approve({ caller, content }: Made, sequence = 11): Promise<void> {
  content.approvalStatus = 'approved';
  const event = { subject: content.id, accountId: caller.accountId, sequence };
  const data = { ...contentApproved.example, content, origin: null };
  await world.service.publish(contentApproved, { ...event, data });
}
const held = { status: 'pending', waitsBecause: 'approval' };

it('an edit holds what is due until the new version is approved, then it is due again', async () => {
  const made = await phone();
  const id = await made.due();
  await edit(made);
  await eventually(async () => expect(await made.read(id)).toMatchObject(held));
  expect((await made.read(id)).timeline.at(-1).what).toBe('held');
  await approve(made);
  await eventually(async () =>
    expect(await made.read(id)).toMatchObject({ status: 'due', contentVersion: 2, waitsBecause: null }),
  );
  const types = ['schedule.created', 'schedule.due', 'schedule.requeued', 'schedule.due'];
  await expectEvents(id, types);
});

it('an edit that is never decided ends what was due after a day, however late it came', async () => {
  const made = await phone();
  const id = await made.due();
  const age = (set: string) => world.service.db.query(`update schedules set ${set} where id = $1`, [id]);
  await age(`scheduled_for = scheduled_for - interval '9 days'`);
  await edit(made);
  await eventually(async () => expect(await made.read(id)).toMatchObject(held));
  await age(`due_at = now()`);
  await eventually(async () => {
    const [row] = await world.service.db.query(
      'select due_at > now() as waits from schedules where id = $1',
      [id],
    );
    expect(row).toEqual({ waits: true });
  });
  expect(await made.read(id)).toMatchObject(held);
  await age(`held_since = held_since - interval '25 hours', due_at = now()`);
  await eventually(async () => expect((await made.read(id)).status).toBe('failed'));
  expect((await made.read(id)).failure).toMatchObject({ code: 'not_approved', retryable: false });
});

it('an edit holds what is about to become due', async () => {
  const made = await phone();
  const gate = Promise.withResolvers<void>();
  const id = await made.schedule(inMs(20));
  world.content.readsAfter = gate.promise;
  await eventually(async () => expect((await made.read(id)).status).toBe('sending'));
  await edit(made);
  await eventually(async () => expect(await made.read(id)).toMatchObject(held));
  made.content.approvalStatus = 'approved';
  world.content.readsAfter = null;
  gate.resolve();
  await expectEvents(id, ['schedule.created']);
  expect(await made.read(id)).toMatchObject({ status: 'pending', contentVersion: 1 });
});

it('an edit that is heard of after the approval of its version holds nothing', async () => {
  const made = await phone();
  const id = await made.due();
  made.content.version += 1;
  await approve(made, 11);
  await eventually(async () => expect((await made.read(id)).contentVersion).toBe(2));
  const event = {
    id: newId('event'),
    subject: made.content.id,
    accountId: made.caller.accountId,
    sequence: 10,
  };
  await world.service.publish(contentEdited, { ...event, data: { version: 2 } });
  await eventually(async () =>
    expect(await world.service.db.query('select from inbox where event_id = $1', [event.id])).not.toEqual([]),
  );
  expect((await made.read(id)).status).toBe('due');
});

it('a workspace has at most 100 accounts of kind phone', async () => {
  const { caller, ask } = await phone();
  await world.service.db.query(
    `with phones as (
       insert into creators (open_id) select $1 || ' phone ' || nth from generate_series(1, 98) nth returning open_id)
     insert into platform_accounts (id, account_id, kind, open_id, display_name, status, scopes, connected_at,
       created_at, updated_at)
     select open_id, $1, 'phone', open_id, 'Phone', 'connected', '{}', now(), now(), now() from phones`,
    [caller.accountId],
  );
  const add = (name: string) => ask('POST', '/v1/accounts/phone', { name });
  const answers = await Promise.all([add('One'), add('Two'), add('Three')]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  expect(answers.find(({ status }) => status === 400)?.body.error.message).toContain('at most 100');
});

it('Posted of a deck that lost its approval is 409 not_approved with the reason', async () => {
  const { ask, due, content } = await phone();
  const id = await due();
  for (const [approvalStatus, reason] of [
    ['pending', 'was edited and is not approved again'],
    ['rejected', 'was rejected'],
  ] as const) {
    content.approvalStatus = approvalStatus;
    const refused = await ask('POST', `/v1/schedules/${id}/posted`, { url });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'not_approved']);
    expect(refused.body.error.message).toContain(reason);
  }
  content.approvalStatus = 'approved';
  content.version += 1;
  const posted = await ask('POST', `/v1/schedules/${id}/posted`, { url });
  expect(posted.body.data).toMatchObject({ status: 'sent', contentVersion: content.version });
});

it('Not now moves what is due, which becomes due again', async () => {
  const { ask, due, read } = await phone();
  const id = await due();
  const later = await ask('PATCH', `/v1/schedules/${id}`, { scheduledFor: inMs(3_600_000) });
  expect([later.status, later.body.data.status]).toEqual([200, 'pending']);
  await ask('PATCH', `/v1/schedules/${id}`, { scheduledFor: inMs(20) });
  await eventually(async () => expect((await read(id)).status).toBe('due'));
  await expectEvents(id, ['schedule.created', 'schedule.due', 'schedule.requeued', 'schedule.due']);
});

it('PATCH to an account of the other kind needs no mode, which stays where the account has it', async () => {
  const { caller, content, account } = await world.ready();
  const phones = await world.call(caller, 'POST', '/v1/accounts/phone', { name: 'Maya makes' });
  const body = { contentId: content.id, tiktokAccountId: account.id, scheduledFor: inMs(3_600_000) };
  const created = await world.schedule(caller, { ...body, mode: 'publish', privacyLevel: 'SELF_ONLY' });
  const change = async (fields: object) =>
    (await world.call(caller, 'PATCH', `/v1/schedules/${created.body.data.id}`, fields)).body.data;
  expect(await change({ title: 'Another' })).toMatchObject({ mode: 'publish' });
  expect(await change({ tiktokAccountId: phones.body.data.id })).toMatchObject({ mode: 'phone' });
  expect(await change({ title: 'A third' })).toMatchObject({ mode: 'phone' });
  expect(await change({ tiktokAccountId: account.id })).toMatchObject({ mode: 'draft' });
});

it('PATCH of what was due for hours to TikTok needs a time, and is not missed at once', async () => {
  const { caller, content, account } = await world.ready();
  const phones = await world.call(caller, 'POST', '/v1/accounts/phone', { name: 'Maya makes' });
  const body = { contentId: content.id, tiktokAccountId: phones.body.data.id, scheduledFor: inMs(20) };
  const { id } = (await world.schedule(caller, body)).body.data;
  const path = `/v1/schedules/${id}`;
  const read = async () => (await world.call(caller, 'GET', path)).body.data;
  await eventually(async () => expect((await read()).status).toBe('due'));
  const age = `update schedules set scheduled_for = scheduled_for - interval '3 hours' where id = $1`;
  await world.service.db.query(age, [id]);
  const refused = await world.call(caller, 'PATCH', path, { tiktokAccountId: account.id });
  expect([refused.status, refused.body.error]).toMatchObject([400, { param: 'scheduledFor' }]);
  expect(await read()).toMatchObject({ status: 'due', mode: 'phone' });
  const change = { tiktokAccountId: account.id, scheduledFor: inMs(3_600_000) };
  expect((await world.call(caller, 'PATCH', path, change)).body.data).toMatchObject({
    ...{ status: 'pending', mode: 'draft' },
  });
});

it('a change of its own fields alone leaves what is due as it is, approved or not', async () => {
  const { ask, due, read, content } = await phone();
  const id = await due();
  content.approvalStatus = 'pending';
  const changed = await ask('PATCH', `/v1/schedules/${id}`, { externalId: 'row-7' });
  expect([changed.status, changed.body.data]).toMatchObject([200, { status: 'due', externalId: 'row-7' }]);
  expect((await read(id)).timeline.at(-1).what).toBe('due');
});

it('what is not due yet can be posted early; what waits for its approval becomes due with it', async () => {
  const { ask, schedule, content, read } = await phone();
  const id = await schedule(inMs(3_600_000));
  expect((await ask('POST', `/v1/schedules/${id}/posted`)).body.data.status).toBe('sent');
  const held = await schedule(inMs(1_500));
  content.approvalStatus = 'pending';
  await eventually(async () => {
    expect((await read(held)).timeline.map((line: Json) => line.what)).toContain('held');
  });
  expect((await read(held)).status).toBe('pending');
});

it.each([
  ['phone on an account that is connected', 'mode must be draft or publish for an account of kind "api"'],
  ['publish on a phone', 'mode must be "phone" or left out for an account of kind "phone"'],
])('400 for the mode %s', async (_, message) => {
  const isPhone = message.includes('"phone" or');
  const { caller, account } = isPhone ? await phone() : await world.ready();
  const content = world.content.addDeck(caller.accountId);
  const mode = isPhone ? { mode: 'publish', privacyLevel: 'SELF_ONLY' } : { mode: 'phone' };
  const body = { contentId: content.id, tiktokAccountId: account.id, ...mode };
  const refused = await world.schedule(caller, body);
  expect([refused.status, refused.body.error]).toMatchObject([400, { code: 'invalid_request', message }]);
  const query = new URLSearchParams({ tiktokAccountId: account.id, mode: mode.mode });
  const asked = await world.call(caller, 'GET', `/v1/content/${content.id}/preflight?${query}`);
  expect([asked.status, asked.body.error]).toMatchObject([400, { message }]);
});

it('400 for Posted of a schedule that is sent by itself', async () => {
  const { caller, content, account } = await world.ready();
  const body = { contentId: content.id, tiktokAccountId: account.id, scheduledFor: inMs(3_600_000) };
  const { id } = (await world.schedule(caller, body)).body.data;
  const refused = await world.call(caller, 'POST', `/v1/schedules/${id}/posted`);
  expect([refused.status, refused.body.error.message]).toEqual([
    400,
    'id must be the id of a schedule of mode "phone"; this one is sent by itself',
  ]);
});

it('an account that is removed ends what is due for it, and is gone', async () => {
  const { ask, due, read, account } = await phone();
  const id = await due();
  expect((await ask('DELETE', `/v1/accounts/${account.id}`)).status).toBe(200);
  expect(await read(id)).toMatchObject({ status: 'failed', failure: { code: 'account_not_connected' } });
  expect((await ask('GET', '/v1/accounts')).body.data).toEqual([]);
  const refused = await ask('POST', `/v1/schedules/${id}/posted`);
  expect([refused.status, refused.body.error.code]).toEqual([400, 'invalid_request']);
});

it('what is due can be withdrawn, waits once for its account, and a repeated key adds one phone', async () => {
  const { ask, due, caller, content, account } = await phone();
  const id = await due();
  const again = { contentId: content.id, tiktokAccountId: account.id, scheduledFor: inMs(60_000) };
  expect((await ask('POST', '/v1/schedules', again)).body.error.code).toBe('already_scheduled');
  expect((await ask('DELETE', `/v1/schedules/${id}`)).status).toBe(200);
  expect((await ask('POST', '/v1/schedules', again)).status).toBe(201);
  const headers = { 'idempotency-key': newId('req') };
  const add = () => world.call(caller, 'POST', '/v1/accounts/phone', { name: 'Second' }, headers);
  const [one, two] = [await add(), await add()];
  expect(two.body).toEqual(one.body);
});

it('what an automation asks for on a phone becomes due', async () => {
  const { caller, account, content } = await phone();
  const ids = { automationId: 'automation_1', firingId: newId('firing') };
  content.origin = ids;
  await world.service.db.query(
    `insert into schedule_requests (firing_id, account_id, automation_id, content_id, platform_account_id,
       scheduled_for, mode, privacy_level, schedule_id, due_at, created_at)
     values ($1, $2, $3, $4, $5, now(), 'draft', null, $6, now(), now())`,
    [ids.firingId, caller.accountId, ids.automationId, content.id, account.id, newId('schedule')],
  );
  await eventually(async () => {
    const { body } = await world.call(caller, 'GET', '/v1/schedules');
    expect(body.data[0]).toMatchObject({ mode: 'phone', status: 'due', automationId: ids.automationId });
  });
});
