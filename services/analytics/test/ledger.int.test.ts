import type { Caller } from '@hookline/shared/http';
import { hourMs } from '@hookline/shared/kernel/durations';
import { perSuite } from '@hookline/testing/per-suite';
import { beforeAll, describe, expect, it } from 'vitest';
import { listSettled } from '../src/decks/queries.ts';
import { type Json, session, startWorld } from './world.ts';

const world = perSuite(startWorld);
const monday = Date.parse('2026-11-16T09:00:00Z');

type Given = { count: number; views: number; archetype: string; appId?: string; readAfterMs?: number };

/** Decks that were posted hour by hour before Monday, 9:00. */
async function fill(accountId: string, groups: readonly Given[]): Promise<void> {
  for (const { count, views, archetype, appId = 'product_1', readAfterMs = 48 * hourMs } of groups) {
    await world.service.db.query(
      `insert into decks (content_id, account_id, app_id, version, versions, approved_at, tiktok_account_id, posted_at, views, measured_at)
       select 'content_' || gen_random_uuid(), $1, $2, 1,
         jsonb_build_object('1', jsonb_build_object('hook', $3 || n, 'archetype', $3::text, 'templateId', 'quote-card', 'language', 'en')),
         $4, 'account_1', at, $5::bigint + n, at + $6
       from (select n, $4::timestamptz - n * interval '1 hour' as at from generate_series(1, $7) as n) as posted`,
      [accountId, appId, archetype, new Date(monday), views, `${readAfterMs} milliseconds`, count],
    );
  }
}

const read = async (caller: Caller, query = ''): Promise<Json[]> => {
  const { status, text, body } = await world.call(caller, 'GET', `/v1/analytics/decks${query}`);
  expect(status, text).toBe(200);
  return body.data;
};

describe('GET /v1/analytics/decks', () => {
  let caller: Caller;
  beforeAll(async () => {
    caller = session();
    await fill(caller.accountId, [
      { count: 60, views: 4000, archetype: 'listicle' },
      { count: 60, views: 1000, archetype: 'authority' },
    ]);
  });

  it('ranks what decks have in common, with an interval, a verdict and the decks behind it', async () => {
    const rows = await read(caller);
    const [best, worst] = rows.filter(({ of }) => of === 'archetype');
    expect(best).toMatchObject({ value: 'listicle', decks: 60, verdict: 'better' });
    expect(worst).toMatchObject({ value: 'authority', verdict: 'worse' });
    expect(best.low).toBeLessThan(best.lift);
    expect(best.contentIds).toHaveLength(20);
    expect(rows.filter(({ of }) => of === 'hook')).toHaveLength(40);
    expect(rows.filter(({ of }) => of === 'hook').every(({ verdict }) => verdict === 'too_early')).toBe(true);
    expect(rows.find(({ of }) => of === 'template')).toMatchObject({
      value: 'quote-card',
      lift: 1,
      decks: 120,
    });
  });

  it('counts weekdays and hours in the zone that is asked for', async () => {
    const days = async (query: string) =>
      (await read(caller, query)).filter(({ of }) => of === 'weekday').map(({ value }) => value);
    expect((await days('')).toSorted()).toEqual(['friday', 'monday', 'saturday', 'sunday']);
    const hours = (await read(caller, '?timezone=Asia/Kolkata')).filter(({ of }) => of === 'hour');
    expect(hours).toHaveLength(24);
  });

  it('leaves out numbers that were read within 24 h of the post, other workspaces, apps and days', async () => {
    const owner = session();
    await fill(owner.accountId, [
      { count: 3, views: 100, archetype: 'authority' },
      { count: 4, views: 100, archetype: 'listicle', readAfterMs: 23 * hourMs },
      { count: 5, views: 100, archetype: 'motivational', appId: 'product_2' },
    ]);
    const counted = async (query: string) => {
      const rows = (await read(owner, query)).filter(({ of }) => of === 'archetype');
      return Object.fromEntries(rows.map(({ value, decks }) => [value, decks]));
    };
    expect(await counted('')).toEqual({ authority: 3, motivational: 5 });
    expect(await counted('?appId=product_1')).toEqual({ authority: 3 });
    expect(await counted('?appId=product_unknown')).toEqual({});
    expect(await counted('?windowDays=5')).toEqual({});
    expect(await read(session())).toEqual([]);
  });

  it('the largest views add up to a number that JSON has', async () => {
    const famous = session();
    await fill(famous.accountId, [
      { count: 250, views: Number.MAX_SAFE_INTEGER - 250, archetype: 'listicle' },
      { count: 250, views: 0, archetype: 'authority' },
    ]);
    const [row] = (await read(famous)).filter(({ of }) => of === 'archetype');
    expect(row).toMatchObject({ value: 'listicle', decks: 250, views: Number.MAX_SAFE_INTEGER });
    const body = { since: '2026-01-01T00:00:00Z', until: world.now().toISOString(), timezone: 'UTC' };
    const week = await world.call(famous, 'POST', '/internal/analytics/week', body);
    expect(week.body.views, week.text).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('compares the newest 500 decks and reads no others', async () => {
    const busy = session();
    await fill(busy.accountId, [{ count: 700, views: 100, archetype: 'listicle' }]);
    const [row] = (await read(busy)).filter(({ of }) => of === 'archetype');
    expect(row.decks).toBe(500);
  });
});

it('a week has its posts, their views, the best of them and what did best and worst', async () => {
  const caller = session();
  const week = async (since: string) => {
    const body = { since, until: new Date(monday).toISOString(), timezone: 'UTC' };
    return (await world.call(caller, 'POST', '/internal/analytics/week', body)).body;
  };
  expect(await week('2026-11-15T09:00:00Z')).toEqual({
    ...{ posted: 0, measured: 0, views: 0, best: null, next: null, worse: null },
  });
  await fill(caller.accountId, [
    { count: 60, views: 4000, archetype: 'listicle' },
    { count: 60, views: 1000, archetype: 'authority' },
  ]);
  await world.service.db.query(
    `update decks set views = null, measured_at = null where account_id = $1 and hook = 'listicle1'`,
    [caller.accountId],
  );
  expect(await week('2026-11-16T06:00:00Z')).toEqual({
    ...{ posted: 6, measured: 5, views: 4002 + 4003 + 1001 + 1002 + 1003 },
    best: { hook: 'listicle3', views: 4003 },
    next: { of: 'archetype', value: 'listicle', lift: expect.toSatisfy(lift => lift > 1.5) },
    worse: { of: 'archetype', value: 'authority', lift: expect.toSatisfy(lift => lift < 0.7) },
  });
});

it('the decks that are compared are read in the order of an index, whatever the planner knows of the table', async () => {
  const { accountId } = session();
  const decks = { count: 2_000, views: 1_000, archetype: 'listicle' };
  await fill(accountId, [decks]);
  const explained = {
    query: <Row>(text: string, values?: readonly unknown[]) =>
      world.service.db.query<Row>(`explain ${text}`, values),
  };
  for (const appId of [null, 'product_1']) {
    const filter = { appId, since: new Date(0), limit: 500 };
    const plan = JSON.stringify(await listSettled(explained as typeof world.service.db, accountId, filter));
    expect(plan).toContain('settled');
    expect(plan).not.toMatch(/Sort|Bitmap|Seq/);
  }
});
