/** No deck twice: what the app's earlier decks had, through the service's own tables. */

import type { Content } from '@hookline/shared/contracts/content';
import { automationFired } from '@hookline/shared/events';
import { newId } from '@hookline/shared/kernel';
import { closeRenderThread } from '@hookline/slides';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { linesOf } from '@hookline/writer';
import { afterAll, describe, expect, it } from 'vitest';
import { listDecksBefore } from '../src/contents/queries-before.ts';
import { freshnessOf } from '../src/decks/freshness.ts';
import { dataOf, startContent } from './world.ts';

const under = perSuite(() => startContent({ env: { SIGNUP_CREDITS: '100' } }));
afterAll(async () => {
  await closeRenderThread();
});

type Caller = ReturnType<typeof testCaller>;
const make = async (caller: Caller, appId: string, brief = {}) =>
  dataOf<Content>(await under.create(caller, { appId, type: 'slideshow', brief }));
const textsOf = ({ result }: Content) => ({ result: result!, language: 'en' });
const asEarlier = (content: Content) => ({
  id: content.id,
  lines: linesOf(content.result!),
  automationId: null,
  createdAt: new Date(content.createdAt),
  rejectReason: null,
});

describe('freshness', () => {
  it('is null for the first deck of an app, then names the nearest one and how much it shares', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const first = await make(caller, appId);
    const second = await make(caller, appId);
    expect(first.freshness).toBeNull();
    expect(second.freshness).toEqual({ nearestContentId: first.id, overlap: 0.2 });
    const third = await make(caller, appId, { hook: second.result!.hook });
    expect(third.freshness).toEqual(freshnessOf(textsOf(third), [asEarlier(second), asEarlier(first)]));
    const read = await under.service.call('GET', `/v1/content/${third.id}`, { caller });
    expect(dataOf<Content>(read).freshness).toEqual(third.freshness);
    const other = await make(caller, await under.importApp(caller));
    expect(other.freshness).toBeNull();
  });

  it('follows an edit of the texts, and a preview shows it', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const first = await make(caller, appId);
    const second = await make(caller, appId);
    const { hook, bodySlides } = first.result!;
    const path = `/v1/content/${second.id}`;
    const shared = { nearestContentId: first.id, overlap: 1 };
    const body = { hook, bodySlides };
    const preview = await under.service.call('PATCH', `${path}?dryRun=true`, { caller, body });
    expect(dataOf<Content>(preview).freshness).toEqual(shared);
    expect(dataOf<Content>(await under.service.call('GET', path, { caller })).freshness).toEqual(
      second.freshness,
    );
    const edited = await under.service.call('PATCH', path, { caller, body });
    expect(dataOf<Content>(edited).freshness).toEqual(shared);
    expect(dataOf<Content>(await under.service.call('GET', path, { caller })).freshness).toEqual(shared);
  });
});

it('texts whose transaction commits after a later one are read too', async () => {
  const caller = testCaller();
  const appId = await under.importApp(caller);
  const { id } = await make(caller, appId);
  await make(caller, appId);
  const hooks = async () => {
    const query = { accountId: caller.accountId, appId, since: new Date(0), automationId: null };
    return (await listDecksBefore(under.service.db, query)).map(deck => [deck.id === id, deck.lines[0]]);
  };
  const before = await hooks();
  await under.service.db.query(
    `update contents set result = jsonb_set(result, '{hook}', '"Written earlier"'), version = version + 1,
       updated_at = updated_at - interval '1 minute' where id = $1`,
    [id],
  );
  expect(await hooks()).toEqual([before[0], [true, 'Written earlier']]);
  await under.service.db.query('delete from contents where id = $1', [id]);
  expect(await hooks()).toEqual([before[0]]);
});

it('an automation is compared with all that it made, however much else the app has', async () => {
  const caller = testCaller();
  const appId = await under.importApp(caller);
  const own = await make(caller, appId);
  const automationId = newId('automation');
  const { db } = under.service;
  await db.query('update contents set origin_automation_id = $2, origin_firing_id = id where id = $1', [
    own.id,
    automationId,
  ]);
  await db.query(
    `insert into contents select r.* from contents c, generate_series(1, 600) n,
       lateral jsonb_populate_record(c, jsonb_build_object('id', c.id || n, 'origin_automation_id', null,
         'origin_firing_id', null, 'created_at', c.created_at + n * interval '1 second')) r
     where c.id = $1`,
    [own.id],
  );
  const query = { accountId: caller.accountId, appId, since: new Date(0) };
  const compared = async (by: string | null) =>
    (await listDecksBefore(db, { ...query, automationId: by })).map(({ id }) => id);
  expect(await compared(automationId)).toContain(own.id);
  expect(await compared(null)).toHaveLength(100);
  expect(await compared(newId('automation'))).toHaveLength(100);
});

it('decks that are asked for at the same moment are not alike', async () => {
  const caller = testCaller();
  const appId = await under.importApp(caller);
  const decks = await Promise.all([1, 2, 3].map(() => make(caller, appId)));
  expect(new Set(decks.map(({ result }) => result?.hook)).size).toBe(3);
  const ids = decks.map(({ id }) => id);
  const nearest = decks.flatMap(({ freshness }) => freshness ?? []);
  expect(nearest.length).toBe(2);
  for (const { nearestContentId, overlap } of nearest)
    expect([ids.includes(nearestContentId), overlap <= 0.5]).toEqual([true, true]);
});

it('decks of a list that are written at the same time are not alike', async () => {
  const caller = testCaller();
  const appId = await under.importApp(caller);
  const item = { appId, type: 'slideshow' };
  const given = { ...item, brief: { hook: 'Mine', slides: [{ text: 'My own words' }] } };
  const body = { items: [item, item, item, given, given] };
  const headers = { 'idempotency-key': newId('req') };
  const sent = await under.service.call('POST', '/v1/content/batch', { caller, body, headers });
  expect(sent.status).toBe(202);
  const made = await eventually(async () => {
    const rows = dataOf<Content[]>(await under.service.call('GET', '/v1/content', { caller }));
    expect(rows.map(({ status }) => status)).toEqual(body.items.map(() => 'ready'));
    return rows;
  }, 60_000);
  const written = made.filter(({ writer }) => writer?.kind === 'builtin');
  expect(written).toHaveLength(3);
  for (const content of written) {
    const others = written.filter(({ id }) => id !== content.id).map(asEarlier);
    expect(freshnessOf(textsOf(content), others)!.overlap).toBeLessThanOrEqual(0.5);
  }
  expect(written.filter(({ freshness }) => freshness === null)).toHaveLength(1);
});

describe('16 firings of one automation', () => {
  it('make decks that share at most half with one another, and end as nothing_new when the listing is used up', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const automationId = newId('automation');
    for (let i = 0; i < 16; i += 1) {
      const data = {
        automationId,
        firingId: newId('firing'),
        appId,
        brief: null,
        slot: new Date().toISOString(),
      };
      await under.service.publish(automationFired, {
        subject: automationId,
        accountId: caller.accountId,
        data: { ...data, approvalMode: 'auto' },
      });
    }
    const made = await eventually(async () => {
      const rows = dataOf<Content[]>(await under.service.call('GET', '/v1/content?limit=100', { caller }));
      expect(rows.filter(({ status }) => status === 'ready' || status === 'failed')).toHaveLength(16);
      return rows;
    }, 120_000);
    const ready = made.filter(({ status }) => status === 'ready');
    expect(ready.length).toBeGreaterThanOrEqual(4);
    for (const content of ready) {
      const others = ready.filter(({ id }) => id !== content.id).map(asEarlier);
      expect(freshnessOf(textsOf(content), others)!.overlap).toBeLessThanOrEqual(0.5);
    }
    for (const content of made.filter(({ status }) => status === 'failed')) {
      expect(content).toMatchObject({
        error: { code: 'nothing_new' },
        costCharged: 0,
        approvalStatus: 'pending',
        freshness: null,
      });
    }
    const credits = dataOf<{ spent: number; balance: number }>(
      await under.service.call('GET', '/v1/credits', { caller }),
    );
    expect(credits).toMatchObject({ spent: ready.length, balance: 100 - ready.length });
  }, 150_000);
});
