import { contentApproved, type EventDefinition, schedulePublished } from '@hookline/shared/events';
import type { Caller } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import { hourMs } from '@hookline/shared/kernel/durations';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { describe, expect, it } from 'vitest';
import { type Json, session, startWorld } from './world.ts';

const world = perSuite(startWorld);

async function publish<T>(definition: EventDefinition, accountId: string, data: T): Promise<void> {
  const id = newId('event');
  await world.service.publish(definition, { subject: 'content_1', accountId, data, id });
  const seen = `select from inbox where consumer = 'analytics.decks' and event_id = $1`;
  await eventually(async () => expect(await world.service.db.query(seen, [id])).toHaveLength(1));
}

type Deck = { id?: string; hook: string; slide?: string; version?: number; appId?: string };

async function approve(accountId: string, { id, hook, slide, ...changes }: Deck): Promise<string> {
  const { content, ...rest } = contentApproved.example;
  const bodySlides = slide ? [{ text: slide }] : content.result!.bodySlides;
  const own = { id: id ?? newId('content'), result: { ...content.result!, hook, bodySlides } };
  await publish(contentApproved, accountId, { ...rest, content: { ...content, ...own, ...changes } });
  return own.id;
}

async function post(accountId: string, contentId: string, tiktokAccountId: string): Promise<void> {
  const { schedule, firingId } = schedulePublished.example;
  const sentAt = world.now().toISOString();
  await publish(schedulePublished, accountId, {
    firingId,
    schedule: { ...schedule, contentId, sentAt, tiktokAccountId },
  });
}

const start = (caller: Caller, id: string, against: unknown, readAfterHours: unknown = 48) =>
  world.call(caller, 'POST', `/v1/content/${id}/experiment`, { against, readAfterHours });
const list = async (caller: Caller): Promise<Json[]> =>
  (await world.call(caller, 'GET', '/v1/analytics/experiments')).body.data;
const enter = (caller: Caller, id: string, views: number) =>
  world.call(caller, 'POST', `/v1/content/${id}/results`, { views });

describe('an experiment', () => {
  it('counts the first views past its hours, and judges once each post has some', async () => {
    const caller = session();
    const { accountId } = caller;
    const [one, other] = [await approve(accountId, { hook: 'A' }), await approve(accountId, { hook: 'B' })];
    const before = await Promise.all(
      ['account_1', 'account_2'].map(async account => {
        const id = await approve(accountId, { hook: 'before', slide: account });
        await post(accountId, id, account);
        return id;
      }),
    );
    world.advance(25 * hourMs);
    for (const id of before) await enter(caller, id, 500);
    const answer = await start(caller, one, [other]);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body.data).toMatchObject({ readAfterHours: 48, isFinal: false, hooks: [] });
    await post(accountId, one, 'account_1');
    await post(accountId, other, 'account_2');
    const viewsOf = async () => {
      const [{ posts }] = await list(caller);
      return [one, other].map(id => posts.find((row: Json) => row.contentId === id).views);
    };
    world.advance(47 * hourMs);
    await enter(caller, one, 700);
    expect(await viewsOf()).toEqual([null, null]);
    world.advance(hourMs);
    await enter(caller, one, 800);
    world.advance(hourMs);
    await enter(caller, one, 5000);
    expect(await viewsOf()).toEqual([800, null]);
    await enter(caller, other, 300);
    const [experiment] = await list(caller);
    expect(experiment).toMatchObject({
      id: answer.body.data.id,
      appId: answer.body.data.appId,
      isFinal: true,
    });
    expect(experiment.hooks.map((row: Json) => [row.value, row.decks, row.verdict])).toEqual([
      ['A', 1, 'too_early'],
      ['B', 1, 'too_early'],
    ]);
    expect(experiment.verdict).toContain('Too early to say');
    expect(await list(session())).toEqual([]);
  });

  it('leaves out a copy on an account that had the deck, and a deck that was edited since', async () => {
    const caller = session();
    const { accountId } = caller;
    const ids: string[] = [];
    for (const hook of ['A', 'B', 'B', 'A']) ids.push(await approve(accountId, { hook }));
    const otherDeck = await approve(accountId, { hook: 'B', slide: 'another' });
    expect((await start(caller, ids[0]!, [...ids.slice(1), otherDeck])).status).toBe(201);
    await post(accountId, ids[0]!, 'account_1');
    world.advance(hourMs);
    await post(accountId, ids[1]!, 'account_1');
    await post(accountId, otherDeck, 'account_1');
    await approve(accountId, { id: ids[2]!, hook: 'C', version: 2 });
    const [{ posts }] = await list(caller);
    const leftOut = Object.fromEntries(posts.map((row: Json) => [row.contentId, row.leftOut]));
    expect([...ids, otherDeck].map(id => leftOut[id])).toEqual([null, 'same_deck', 'edited', null, null]);
  });
});

describe('POST /v1/content/{id}/experiment', () => {
  it('404 not_found for a deck of another workspace or one never approved, 400 for such a one in against', async () => {
    const caller = session();
    const own = await approve(caller.accountId, { hook: 'A' });
    const foreign = await approve(session().accountId, { hook: 'B' });
    for (const id of [foreign, newId('content')]) {
      const answer = await start(caller, id, [own]);
      expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
      const { status, body } = await start(caller, own, [id]);
      expect([status, body.error.code]).toEqual([400, 'invalid_request']);
      expect(body.error.message).toBe(`against must name approved decks; ${id} is none`);
    }
  });

  it('409 already_sent for a deck that was posted', async () => {
    const caller = session();
    const ids = [
      await approve(caller.accountId, { hook: 'A' }),
      await approve(caller.accountId, { hook: 'B' }),
    ];
    await post(caller.accountId, ids[1]!, 'account_1');
    const answer = await start(caller, ids[0]!, [ids[1]]);
    expect([answer.status, answer.body.error.code]).toEqual([409, 'already_sent']);
  });

  it('400 invalid_request for one hook, four, two apps, a deck twice or in two experiments', async () => {
    const caller = session();
    const { accountId } = caller;
    const ids: string[] = [];
    for (const hook of ['A', 'B', 'C', 'D', 'A']) ids.push(await approve(accountId, { hook }));
    const elsewhere = await approve(accountId, { hook: 'B', appId: 'product_2' });
    const [a, b, c, d, again] = ids as [string, string, string, string, string];
    const refused = async (against: unknown, hours?: unknown) => {
      const { status, body } = await start(caller, a, against, hours);
      expect([status, body.error.code]).toEqual([400, 'invalid_request']);
      return body.error.message;
    };
    expect(await refused([again])).toContain('two or three hooks in all, not 1');
    expect(await refused([b, c, d])).toContain('not 4');
    expect(await refused([elsewhere])).toContain('one app');
    expect(await refused([b, b])).toContain('each deck once');
    expect(await refused([])).toContain('against');
    expect(await refused([b], 23)).toContain('readAfterHours');
    const both = await Promise.all([start(caller, a, [b]), start(caller, b, [a])]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 400]);
    expect(await refused([c])).toContain('no deck of another experiment');
  });
});
