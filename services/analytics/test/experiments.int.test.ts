import {
  contentApproved,
  contentRejected,
  type EventDefinition,
  experimentStarted,
  schedulePublished,
} from '@hookline/shared/events';
import type { Caller } from '@hookline/shared/http';
import { newId, readPage } from '@hookline/shared/kernel';
import { hourMs } from '@hookline/shared/kernel/durations';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { describe, expect, it } from 'vitest';
import { keepVerdicts } from '../src/experiments/judge.ts';
import { listDecks, listEarlier, listNewest } from '../src/experiments/queries.ts';
import { type Json, session, startWorld } from './world.ts';

const world = perSuite(startWorld);

async function publish<T>(
  definition: EventDefinition,
  accountId: string,
  data: T,
  time = world.now().toISOString(),
): Promise<void> {
  const id = newId('event');
  await world.service.publish(definition, { subject: 'content_1', accountId, data, id, time });
  const seen = `select from inbox where consumer = 'analytics.decks' and event_id = $1`;
  await eventually(async () => expect(await world.service.db.query(seen, [id])).toHaveLength(1));
}

type Deck = { id?: string; hook: string; slide?: string; version?: number; appId?: string };

async function approve(accountId: string, { id, hook, slide, ...changes }: Deck): Promise<string> {
  const { content, ...rest } = contentApproved.example;
  const bodySlides = slide ? [{ text: slide }] : content.result!.bodySlides;
  const approval = { ...content.approval!, decidedAt: world.now().toISOString() };
  const own = { id: id ?? newId('content'), approval, result: { ...content.result!, hook, bodySlides } };
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

const start = (
  accountId: string,
  hooks: Record<string, string | [hook: string, version: number]>,
  time?: string,
) => {
  const decks = Object.entries(hooks).map(([contentId, named]) => {
    const [hook, version] = [named, 1].flat();
    return { contentId, version, hook };
  });
  const { appId } = contentApproved.example.content;
  return publish(experimentStarted, accountId, { readAfterHours: 48, appId, decks }, time);
};
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
    await start(accountId, { [one]: 'A', [other]: 'B' });
    expect(await list(caller)).toMatchObject([{ readAfterHours: 48, isFinal: false, hooks: [] }]);
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
    expect(experiment).toMatchObject({ appId: contentApproved.example.content.appId, isFinal: true });
    expect(experiment.hooks.map((row: Json) => [row.value, row.decks, row.verdict])).toEqual([
      ['A', 1, 'too_early'],
      ['B', 1, 'too_early'],
    ]);
    expect(experiment.verdict).toContain('Too early to say');
    expect(await list(session())).toEqual([]);
    // What it said stays, whatever becomes of the decks it was compared with.
    await eventually(async () =>
      expect(
        await world.service.db.query('select from verdicts where account_id = $1', [accountId]),
      ).toHaveLength(1),
    );
    for (const id of before) await enter(caller, id, 50_000);
    expect(await list(caller)).toEqual([experiment]);
  });

  it('has the views that were read before its start was heard of', async () => {
    const caller = session();
    const { accountId } = caller;
    const [one, other] = [await approve(accountId, { hook: 'A' }), await approve(accountId, { hook: 'B' })];
    const startedAt = world.now().toISOString();
    await post(accountId, one, 'account_1');
    await post(accountId, other, 'account_2');
    world.advance(48 * hourMs);
    await enter(caller, one, 700);
    await start(accountId, { [one]: 'A', [other]: 'B' }, startedAt);
    const [{ posts }] = await list(caller);
    expect(posts.find((row: Json) => row.contentId === one).views).toBe(700);
  });

  it('leaves out a copy on an account that had the deck, and a deck that was edited since', async () => {
    const caller = session();
    const { accountId } = caller;
    const ids: string[] = [];
    for (const hook of ['A', 'B', 'B', 'A']) ids.push(await approve(accountId, { hook }));
    const otherDeck = await approve(accountId, { hook: 'B', slide: 'another' });
    const [a, b, c, d] = ids as [string, string, string, string];
    await start(accountId, { [a]: 'A', [b]: 'B', [c]: 'B', [d]: 'A', [otherDeck]: 'B' });
    await post(accountId, ids[0]!, 'account_1');
    world.advance(hourMs);
    await post(accountId, ids[1]!, 'account_1');
    await post(accountId, otherDeck, 'account_1');
    await approve(accountId, { id: ids[2]!, hook: 'C', version: 2 });
    const [{ posts }] = await list(caller);
    const leftOut = Object.fromEntries(posts.map((row: Json) => [row.contentId, row.leftOut]));
    expect([...ids, otherDeck].map(id => leftOut[id])).toEqual([null, 'same_deck', 'edited', null, null]);
  });

  it('ends once rejections leave one hook, and goes on where one is taken back', async () => {
    const caller = session();
    const { accountId } = caller;
    const [kept, gone] = [newId('content'), newId('content')];
    const { content } = contentApproved.example;
    const reject = { ...contentApproved.example, content: { ...content, id: gone } };
    // The rejection may be heard of before the start.
    await publish(contentRejected, accountId, reject);
    await start(accountId, { [kept]: 'A', [gone]: 'B' });
    const [ended] = await list(caller);
    expect(ended).toMatchObject({ isFinal: true, hooks: [] });
    expect(ended.verdict).toContain('1 of 2 decks were rejected');
    await approve(accountId, { id: gone, hook: 'B' });
    expect(await list(caller)).toMatchObject([{ isFinal: false }]);
    await post(accountId, gone, 'account_1');
    await publish(contentRejected, accountId, reject);
    expect(await list(caller)).toMatchObject([{ isFinal: false }]);
  });

  it('counts a deck with the hook that was posted, whatever is approved afterwards', async () => {
    const caller = session();
    const { accountId } = caller;
    const [posted, other] = [
      await approve(accountId, { hook: 'A' }),
      await approve(accountId, { hook: 'B' }),
    ];
    await start(accountId, { [posted]: 'A', [other]: 'B' });
    await post(accountId, posted, 'account_1');
    world.advance(hourMs);
    // An older version was posted by hand, and the newer one is taken out of the queue.
    await approve(accountId, { id: posted, hook: 'C', version: 2 });
    const [{ posts }] = await list(caller);
    const shown = posts.find((row: Json) => row.contentId === posted);
    expect(shown).toMatchObject({ hook: 'A', leftOut: null });
  });

  it('goes on with a deck whose newer version is approved after its start', async () => {
    const caller = session();
    const { accountId } = caller;
    const [edited, other] = [
      await approve(accountId, { hook: 'B' }),
      await approve(accountId, { hook: 'B' }),
    ];
    await start(accountId, { [edited]: ['A', 2], [other]: 'B' });
    expect(await list(caller)).toMatchObject([{ isFinal: false }]);
    const { appId } = contentApproved.example.content;
    await world.service.db.transaction(tx => keepVerdicts(tx, { accountId, appId }, world.now()));
    await approve(accountId, { id: edited, hook: 'A', version: 2 });
    const [{ isFinal, posts }] = await list(caller);
    const shown = posts.map((row: Json) => [row.contentId, [row.hook, row.leftOut]]);
    expect(isFinal).toBe(false);
    expect(Object.fromEntries(shown)).toEqual({ [edited]: ['A', null], [other]: ['B', null] });
  });

  it('has a deck of which an earlier version was rejected', async () => {
    const caller = session();
    const { accountId } = caller;
    const id = newId('content');
    const { content } = contentApproved.example;
    await publish(contentRejected, accountId, { ...contentApproved.example, content: { ...content, id } });
    await start(accountId, { [id]: ['A', 2], [await approve(accountId, { hook: 'B' })]: 'B' });
    expect(await list(caller)).toMatchObject([{ isFinal: false }]);
  });

  it('has decks that are approved after its start, whichever comes first', async () => {
    const caller = session();
    const { accountId } = caller;
    const [early, late, edited] = [newId('content'), newId('content'), newId('content')];
    await approve(accountId, { id: early, hook: 'A' });
    await start(accountId, { [early]: 'A', [late]: 'B', [edited]: 'B' });
    await approve(accountId, { id: late, hook: 'B' });
    await approve(accountId, { id: edited, hook: 'C', version: 2 });
    const [{ posts, verdict }] = await list(caller);
    const shown = posts.map((row: Json) => [row.contentId, row.hook, row.leftOut]);
    expect(Object.fromEntries(shown.map(([id, ...row]: string[]) => [id, row]))).toEqual({
      [early]: ['A', null],
      [late]: ['B', null],
      [edited]: ['C', 'edited'],
    });
    expect(verdict).toBe('2 of 3 posts have no views of 48 h yet.');
  });
});

/** Experiments of another app, each half a millisecond newer than the one before. */
async function addExperiments(accountId: string, count: number): Promise<string[]> {
  const started = Array.from({ length: count }, () => newId('experiment'));
  await world.service.db.query(
    `insert into decks (content_id, account_id, app_id, version, versions, experiment_id, experiment_at, experiment_hours, experiment_version)
     select id || hook, $1, 'product_1', 1,
       jsonb_build_object('1', jsonb_build_object('hook', hook)), id, $2::timestamptz + (nth / 2) * interval '1 ms', 48, 1
     from unnest($3::text[]) with ordinality as e (id, nth), unnest(array['A', 'B']) hook`,
    [accountId, world.now(), started],
  );
  return started;
}

it('keeps what an experiment said, however many have been started since', async () => {
  const caller = session();
  const { accountId } = caller;
  const appId = newId('product');
  const [one, other] = [
    await approve(accountId, { hook: 'A', appId }),
    await approve(accountId, { hook: 'B', appId }),
  ];
  await start(accountId, { [one]: 'A', [other]: 'B' });
  for (const id of [one, other]) await post(accountId, id, `account of ${id}`);
  world.advance(48 * hourMs);
  await addExperiments(accountId, 12);
  for (const id of [one, other]) await enter(caller, id, 500);
  await eventually(async () =>
    expect(
      await world.service.db.query('select from verdicts where account_id = $1', [accountId]),
    ).toHaveLength(1),
  );
});

it('lists the newest ten, and all of them page by page', async () => {
  const caller = session();
  const started = await addExperiments(caller.accountId, 12);
  expect(await list(caller)).toHaveLength(10);
  const ids: string[] = [];
  for (let cursor = ''; cursor !== 'null'; ) {
    const { body } = await world.call(caller, 'GET', `/v1/analytics/experiments?limit=5${cursor}`);
    ids.push(...body.data.map(({ id }: Json) => id));
    cursor = body.nextCursor === null ? 'null' : `&cursor=${body.nextCursor}`;
  }
  expect(ids).toHaveLength(12);
  expect(ids.toSorted()).toEqual(started.toSorted());
});

it('experiments are found by an index, and the earlier decks of their apps read in the order of one', async () => {
  const plans: string[] = [];
  const started = { id: 'experiment_1', appId: 'product_1', startedAt: world.now() };
  await world.service.db.transaction(async tx => {
    // A table of a few rows would be read whole.
    for (const way of ['seqscan', 'bitmapscan', 'sort']) await tx.query(`set local enable_${way} = off`);
    const explained = {
      async query(text: string, values?: readonly unknown[]) {
        plans.push(JSON.stringify(await tx.query(`explain ${text}`, values)));
        return [];
      },
    } as unknown as typeof tx;
    await listNewest(explained, session().accountId, readPage({ limit: 10 }));
    await listDecks(explained, session().accountId, [started]);
    await listEarlier(explained, session().accountId, [started]);
  });
  const [newest, decks, earlier] = plans;
  expect(newest).toContain('decks_of_experiments');
  expect(newest).not.toContain('Seq Scan on decks');
  expect(decks).toContain('decks_of_experiments');
  expect(decks).toContain('decks_alike');
  expect(decks).not.toContain('Seq');
  expect(earlier).toContain('decks_of_app_settled');
  expect(earlier).not.toMatch(/Sort|Bitmap|Seq/);
});
