/** The feed of events that pollers read. */

import { accountNeedsReauth, automationSkipped, contentApproved, creditsLow } from '@hookline/shared/events';
import type { Caller } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { afterEach, describe, expect, it } from 'vitest';
import { type Body, startWebhookWorld } from './webhook-world.ts';

const world = perSuite(startWebhookWorld);

afterEach(() => {
  world.receiver.received.length = 0;
});

describe('GET /v1/events', () => {
  it('GET /v1/events reads oldest first, from the cursor on, always with a cursor, each account its own', async () => {
    world.owner = testCaller();
    const empty = await world.feed();
    expect(empty).toEqual({ data: [], nextCursor: expect.any(String) });
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      ids.push(await world.publishJob());
      await eventually(async () => expect((await world.feed()).data).toHaveLength(count + 1));
    }
    const first = await world.feed('?limit=2');
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const second = await world.feed(`?after=${first.nextCursor}`);
    expect(second.data.map(({ id }) => id)).toEqual(ids.slice(2));
    const last = await world.feed(`?after=${second.nextCursor}`);
    expect(last).toEqual({ data: [], nextCursor: second.nextCursor });
    expect((await world.feed(`?after=${empty.nextCursor}`)).data).toHaveLength(5);
    expect((await world.feed('', world.stranger)).data).toEqual([]);
    expect((await world.call('GET', '/v1/events?after=nonsense')).status).toBe(400);
    // Its events up to there would never be read.
    const ofOther = await world.call(
      'GET',
      `/v1/events?after=${first.nextCursor}`,
      undefined,
      world.stranger,
    );
    expect([ofOther.status, ofOther.body.error?.message]).toEqual([
      400,
      'after must be a nextCursor that this feed returned',
    ]);

    const newest = await world.feed('?order=newest&limit=3');
    expect(newest.data.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 3));
    const older = await world.feed(`?order=newest&limit=3&before=${newest.previousCursor}`);
    expect(older).toMatchObject({ data: [{ id: ids[1] }, { id: ids[0] }], previousCursor: null });
    // What comes after the newest is followed forward.
    expect(await world.feed(`?after=${newest.nextCursor}`)).toEqual({
      data: [],
      nextCursor: second.nextCursor,
    });
    expect(await world.feed('?order=newest', world.stranger)).toMatchObject({
      data: [],
      previousCursor: null,
    });
    expect((await world.call('GET', '/v1/events?order=newest&before=nonsense')).status).toBe(400);
  });

  it('GET /v1/events gives a content to a key with content:read, and its id alone to another', async () => {
    world.owner = testCaller();
    const content = { ...contentApproved.example.content, id: newId('content') };
    const data = { ...contentApproved.example, content, origin: null };
    await world.service.publish(contentApproved, {
      subject: content.id,
      accountId: world.owner.accountId,
      data,
    });
    const dataFor = async (scopes: Caller['scopes']) =>
      (await world.feed('', { ...world.owner, scopes })).data.map(event => (event as unknown as Body).data);
    await eventually(async () => expect(await dataFor(['webhooks:write'])).toEqual([{ id: content.id }]));
    expect(await dataFor(['webhooks:write', 'content:read'])).toEqual([
      expect.objectContaining({ id: content.id, result: content.result, images: expect.any(Array) }),
    ]);
  });

  it('GET /v1/events gives the firing that was skipped, and to an endpoint too', async () => {
    await world.register('/skipped', ['automation.skipped']);
    const { firing } = automationSkipped.example;
    const { accountId } = world.owner;
    const skipped = { subject: firing.automationId, accountId, data: automationSkipped.example };
    await world.service.publish(automationSkipped, skipped);
    const event = { type: 'automation.skipped', data: firing };
    await eventually(async () => expect((await world.feed()).data).toMatchObject([event]));
    await eventually(() => expect(world.at('/skipped')).toHaveLength(1));
    expect(JSON.parse(world.at('/skipped')[0]?.body ?? '')).toMatchObject(event);
  });

  it('GET /v1/events gives an account as it is listed, and of low credits no balance', async () => {
    world.owner = testCaller();
    const { accountId } = world.owner;
    const { account } = accountNeedsReauth.example;
    const low = { subject: newId('credit'), accountId, data: creditsLow.example };
    await world.service.publish(accountNeedsReauth, {
      subject: account.id,
      accountId,
      data: accountNeedsReauth.example,
    });
    await world.service.publish(creditsLow, low);
    await eventually(async () =>
      expect((await world.feed()).data).toEqual([
        expect.objectContaining({ type: 'account.needs_reauth', data: account }),
        expect.objectContaining({ type: 'credits.low', data: { level: 'low' } }),
      ]),
    );
  });

  it('GET /v1/events gives a poller every event exactly once while many arrive', async () => {
    world.owner = testCaller();
    const sent = Promise.all(Array.from({ length: 60 }, () => world.publishJob()));
    const seen: string[] = [];
    let cursor = '';
    await eventually(async () => {
      const page = await world.feed(cursor ? `?after=${cursor}&limit=7` : '?limit=7');
      cursor = page.nextCursor;
      seen.push(...page.data.map(({ id }) => id));
      expect(seen.length).toBeGreaterThanOrEqual(60);
    }, 15_000);
    expect(seen.toSorted()).toEqual((await sent).toSorted());
  });
});
