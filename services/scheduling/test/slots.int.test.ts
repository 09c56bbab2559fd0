/** Posting slots of an account, and schedules that take them. */
import { contentApproved } from '@hookline/shared/events';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { describe, expect, it } from 'vitest';
import { inMs, type Json, startWorld, type World } from './world.ts';

const world = perSuite(startWorld);

const code = (answer: { status: number; body: Json }) => [answer.status, answer.body.error?.code];
const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const slotsAt = (...times: string[]) => times.map(time => ({ time, days: everyDay }));

type Ready = Awaited<ReturnType<World['ready']>>;

async function withSlots(change: Record<string, unknown> = { slots: slotsAt('09:00', '18:00') }) {
  const ready = await world.ready();
  const set = await world.call(ready.caller, 'PATCH', `/v1/accounts/${ready.account.id}`, change);
  expect(set.status, set.text).toBe(200);
  return ready;
}

async function free({ caller, account }: Ready, count = 3): Promise<string[]> {
  const { body } = await world.call(caller, 'GET', `/v1/accounts/${account.id}/slots?count=${count}`);
  return body.data.map((slot: Json) => slot.scheduledFor);
}

function scheduleNext({ caller, account }: Ready, change: Record<string, unknown> = {}, headers = {}) {
  const { id } = world.content.addDeck(caller.accountId);
  const body = { contentId: id, tiktokAccountId: account.id, slot: 'next', ...change };
  return world.call(caller, 'POST', '/v1/schedules', body, headers);
}

describe('PATCH /v1/accounts/{id}', () => {
  it('slots and their zone are set, kept by each other, and stay when the account is connected again', async () => {
    const { caller, account, username } = await world.ready();
    expect(account).toMatchObject({ slots: [], timezone: 'UTC' });
    const path = `/v1/accounts/${account.id}`;
    const slots = [{ time: '08:30', days: ['mon', 'thu'] }];
    await world.call(caller, 'PATCH', path, { slots });
    const { body } = await world.call(caller, 'PATCH', path, { timezone: 'Europe/Berlin' });
    expect(body.data).toMatchObject({ id: account.id, slots, timezone: 'Europe/Berlin' });
    expect(await world.connect(caller, { username })).toMatchObject({ slots, timezone: 'Europe/Berlin' });
  });

  it('slots that a newer version stored are shown without what is not known', async () => {
    const { caller, account } = await withSlots();
    await world.service.db.query(
      `update platform_accounts set slots = '[{"time": "09:00", "days": ["mon"], "jitter": 5}]' where id = $1`,
      [account.id],
    );
    const { status, body } = await world.call(caller, 'GET', '/v1/accounts');
    expect([status, body.data?.[0].slots]).toEqual([200, [{ time: '09:00', days: ['mon'] }]]);
  });

  it.each([
    [{}, 'must have at least one field to change'],
    [{ name: 'Maya' }, 'name must be left out: TikTok names an account of kind "api"'],
    [
      {
        slots: [
          { time: '09:00', days: ['mon'] },
          { time: '09:00', days: ['mon', 'tue'] },
        ],
      },
      'slots must not name the same time twice for a day',
    ],
    [{ timezone: 'Europe/Atlantis' }, 'timezone must be the name of an IANA time zone'],
  ])('400 names the field for %j', async (change, message) => {
    const { caller, account } = await world.ready();
    const answer = await world.call(caller, 'PATCH', `/v1/accounts/${account.id}`, change);
    expect(code(answer)).toEqual([400, 'invalid_request']);
    expect(answer.body.error.message).toContain(message);
  });
});

describe('free slots', () => {
  it('a waiting schedule takes its slot, a withdrawn one gives it back', async () => {
    const ready = await withSlots();
    const [first = '', second, third] = await free(ready);
    const near = new Date(Date.parse(first) + 9 * 60_000).toISOString();
    const made = await world.schedule(ready.caller, {
      contentId: ready.content.id,
      tiktokAccountId: ready.account.id,
      scheduledFor: near,
    });
    expect((await free(ready)).slice(0, 2)).toEqual([second, third]);
    await world.call(ready.caller, 'DELETE', `/v1/schedules/${made.body.data.id}`);
    expect((await free(ready))[0]).toBe(first);
  });

  it('an account without slots has none', async () => {
    expect(await free(await world.ready())).toEqual([]);
  });
});

describe('POST /v1/schedules with slot', () => {
  it('requests at once take the first free slots, each another', async () => {
    const ready = await withSlots();
    const expected = await free(ready, 6);
    const made = await Promise.all(Array.from({ length: 6 }, () => scheduleNext(ready)));
    expect(made.map(answer => answer.status)).toEqual(Array(6).fill(201));
    expect(made.map(answer => answer.body.data.scheduledFor).sort()).toEqual(expected);
    expect(made[0]?.body.data).toMatchObject({ status: 'pending' });
  });

  it('PATCH takes the first free slot of the account, alone or with other fields, each another', async () => {
    const ready = await withSlots();
    const made = await Promise.all(
      [1, 2, 3].map(() => scheduleNext(ready, { slot: undefined, scheduledFor: inMs(40 * 86_400_000) })),
    );
    const expected = await free(ready);
    const moved = await Promise.all(
      made.map(({ body }, n) =>
        world.call(ready.caller, 'PATCH', `/v1/schedules/${body.data.id}`, {
          slot: 'next',
          ...(n === 0 && { title: 'Another' }),
        }),
      ),
    );
    expect(moved.map(answer => answer.status)).toEqual([200, 200, 200]);
    expect(moved.map(answer => answer.body.data.scheduledFor).sort()).toEqual(expected);
    expect(moved[0]?.body.data.title).toBe('Another');
  });

  it('PATCH repeated after a lost answer leaves the schedule in the slot that it took', async () => {
    const ready = await withSlots();
    const { body } = await scheduleNext(ready, { slot: undefined, scheduledFor: inMs(40 * 86_400_000) });
    const [first] = await free(ready);
    const move = () => world.call(ready.caller, 'PATCH', `/v1/schedules/${body.data.id}`, { slot: 'next' });
    const times = [await move(), await move(), await move()].map(answer => answer.body.data.scheduledFor);
    expect(times).toEqual([first, first, first]);
  });

  it('PATCH with a time alone moves what waits for an approval, whichever way the time is named', async () => {
    const ready = await withSlots();
    const later = { contentId: ready.content.id, slot: undefined, scheduledFor: inMs(40 * 86_400_000) };
    const { body } = await scheduleNext(ready, later);
    const [slot] = await free(ready);
    ready.content.approvalStatus = 'pending';
    const change = async (fields: object) =>
      (await world.call(ready.caller, 'PATCH', `/v1/schedules/${body.data.id}`, fields)).body;
    const time = new Date(Date.now() + 30 * 86_400_000).toISOString();
    expect((await change({ scheduledFor: time, externalId: 'row-7' })).data).toMatchObject({
      ...{ scheduledFor: time, externalId: 'row-7', status: 'pending' },
    });
    expect((await change({ slot: 'next', metadata: { sheet: 'may' } })).data).toMatchObject({
      ...{ scheduledFor: slot, externalId: 'row-7', metadata: { sheet: 'may' } },
    });
    expect((await change({ slot: 'next', title: 'Another' })).error.code).toBe('not_approved');
  });

  it('PATCH while the account is deleted leaves neither in a deadlock', async () => {
    const ready = await withSlots();
    const later = { slot: undefined, scheduledFor: inMs(40 * 86_400_000) };
    const made = [await scheduleNext(ready, later), await scheduleNext(ready, later)];
    const [first = '', second = ''] = made.map(({ body }) => body.data.id).sort();
    const call = (method: string, path: string, body?: unknown) =>
      world.call(ready.caller, method, `/v1/${path}`, body);
    const soon = (answer: Promise<unknown>) =>
      Promise.race([answer, new Promise(resolve => setTimeout(resolve, 1_000))]);
    const answers = await world.service.db.transaction(async tx => {
      await tx.query('select 1 from schedules where id = $1 for update', [first]);
      const deletion = call('DELETE', `accounts/${ready.account.id}`);
      await soon(deletion);
      const move = call('PATCH', `schedules/${second}`, { slot: 'next' });
      await soon(move);
      return [deletion, move];
    });
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('a repeat with the same Idempotency-Key is answered with the same slot and takes no second', async () => {
    const ready = await withSlots();
    const [first, second] = await free(ready);
    const contentId = world.content.addDeck(ready.caller.accountId).id;
    const [one, again] = [
      await scheduleNext(ready, { contentId }, { 'idempotency-key': 'k' }),
      await scheduleNext(ready, { contentId }, { 'idempotency-key': 'k' }),
    ];
    expect(one.body.data.scheduledFor).toBe(first);
    expect(again.text).toBe(one.text);
    expect((await free(ready))[0]).toBe(second);
  });

  it('a dry run shows the slot and leaves it free', async () => {
    const ready = await withSlots();
    const body = { contentId: ready.content.id, tiktokAccountId: ready.account.id, slot: 'next' };
    const { body: shown } = await world.call(ready.caller, 'POST', '/v1/schedules?dryRun=true', body);
    expect(shown.data).toMatchObject({ id: null, scheduledFor: (await free(ready))[0] });
  });

  it('409 no_free_slot where the account has no slots; 400 next to scheduledFor and for another slot', async () => {
    const ready = await world.ready();
    expect(code(await scheduleNext(ready))).toEqual([409, 'no_free_slot']);
    const both = await scheduleNext(ready, { scheduledFor: inMs(3_600_000) });
    expect(code(both)).toEqual([400, 'invalid_request']);
    expect(both.body.error.message).toContain('slot must be left out where scheduledFor is given');
    expect(code(await scheduleNext(ready, { slot: 'last' }))).toEqual([400, 'invalid_request']);
  });
});

describe('the picture of a schedule', () => {
  it('lists have a signed link to the first slide of the version that was approved last', async () => {
    const { caller, account, content } = await withSlots();
    const made = await scheduleNext({ caller, account } as Ready, { contentId: content.id });
    const linkTo = (image: { imageId: string } | undefined) =>
      new RegExp(`^${world.publicUrl}/media/images/${image?.imageId}\\?e=\\d+&s=[\\w-]{32}&w=270$`);
    expect(made.body.data.thumbnailUrl).toMatch(linkTo(content.images[0]));
    const edited = { ...content, version: 2, images: content.images.slice(1) };
    await world.service.publish(contentApproved, {
      subject: content.id,
      accountId: caller.accountId,
      data: { ...contentApproved.example, content: edited, origin: null },
    });
    await eventually(async () => {
      const { body } = await world.call(caller, 'GET', '/v1/schedules');
      expect(body.data[0]).toMatchObject({ title: made.body.data.title });
      expect(body.data[0].thumbnailUrl).toMatch(linkTo(edited.images[0]));
    });
  });
});

it('posts that wait for a time of the next seven days are counted for their workspace alone', async () => {
  const ready = await withSlots();
  await scheduleNext(ready);
  const { id } = world.content.addDeck(ready.caller.accountId);
  const later = { contentId: id, tiktokAccountId: ready.account.id, scheduledFor: inMs(8 * 86_400_000) };
  expect((await world.schedule(ready.caller, later)).status).toBe(201);
  const count = async (caller: Ready['caller'], days: number) =>
    (await world.call(caller, 'POST', '/internal/schedules/count', { until: inMs(days * 86_400_000) })).body;
  expect([await count(ready.caller, 7), await count(ready.caller, 9)]).toEqual([{ count: 1 }, { count: 2 }]);
  expect(await count((await world.ready()).caller, 9)).toEqual({ count: 0 });
});
