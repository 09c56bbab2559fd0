/** What the hooks of an app brought, published when it changes. */
import { Lesson } from '@hookline/shared/contracts/lesson';
import type { Caller } from '@hookline/shared/http';
import { hourMs } from '@hookline/shared/kernel/durations';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { expect, it } from 'vitest';
import { session, startAt, startWorld } from './world.ts';

const world = perSuite(startWorld);
const postedAt = new Date(Date.parse(startAt) - 48 * hourMs);

/** Decks that were posted two days ago and have no numbers yet. @returns their ids */
async function postDecks(accountId: string, hooks: readonly string[]): Promise<string[]> {
  const rows = await world.service.db.query<{ id: string }>(
    `insert into decks (content_id, account_id, app_id, version, versions, approved_at, tiktok_account_id, posted_at)
     select 'content_' || gen_random_uuid(), $1, 'product_of_' || $1, 1,
       jsonb_build_object('1', jsonb_build_object('hook', hook, 'archetype', 'listicle')), $2, 'account_1', $2
     from unnest($3::text[]) as hook returning content_id as id`,
    [accountId, postedAt, hooks],
  );
  return rows.map(({ id }) => id);
}

async function enter(caller: Caller, id: string, views: number): Promise<void> {
  const answer = await world.call(caller, 'POST', `/v1/content/${id}/results`, { views });
  expect(answer.status, answer.text).toBe(201);
}

/** The lessons of the workspace's app, in the order of their sequence, once nothing waits to be published. */
async function lessonsOf({ accountId }: Caller) {
  await eventually(async () => {
    const waiting = 'select from lessons where due_at is not null union all select from outbox';
    expect(await world.service.db.query(waiting)).toEqual([]);
  });
  return world.service.published
    .filter(({ topic, key }) => topic === 'analytics.lessons' && key === `product_of_${accountId}`)
    .map(({ headers, value }) => ({
      sequence: headers.ce_sequence,
      lesson: Lesson.parse(JSON.parse(value)),
    }));
}

const hooks = ['Why now?', 'Why not?', 'Why me?', 'Rest first', 'Sleep late', 'Walk home'];

it('five decks with settled numbers teach an app; the same numbers again teach it nothing', async () => {
  const caller = session();
  const ids = await postDecks(caller.accountId, hooks);
  for (const [at, id] of ids.slice(0, 4).entries()) await enter(caller, id, at < 3 ? 4000 : 200);
  expect(await lessonsOf(caller)).toEqual([]);
  await enter(caller, ids[4]!, 250);
  await enter(caller, ids[4]!, 250);
  const [first, ...others] = await lessonsOf(caller);
  expect(others).toEqual([]);
  expect(first!.sequence).toBe('1');
  expect(first!.lesson.forms).toMatchObject([
    { value: 'question', decks: 3 },
    { value: 'short', decks: 2 },
  ]);
  expect(first!.lesson.forms[0]!.mean).toBeGreaterThan(0);
  expect(first!.lesson.best.map(({ value }) => value).toSorted()).toEqual(hooks.slice(0, 3).toSorted());
  expect(first!.lesson.worst).toContainEqual(
    expect.objectContaining({ value: 'Rest first', views: 200, decks: 1 }),
  );
  expect(first!.lesson.archetypes).toMatchObject([{ value: 'listicle', decks: 5, mean: 0 }]);
});

it('of decks that are entered at once, the last lesson knows all', async () => {
  const caller = session();
  const many = Array.from({ length: 30 }, (_, at) => (at % 2 ? `Why ${at}?` : 'Rest first'));
  const ids = await postDecks(caller.accountId, many);
  await Promise.all(ids.map((id, at) => enter(caller, id, 100 + at)));
  const lessons = await lessonsOf(caller);
  expect(lessons.at(-1)!.lesson.archetypes).toMatchObject([{ decks: 30 }]);
  const sequences = lessons.map(({ sequence }) => Number(sequence));
  expect(sequences).toEqual(sequences.toSorted((one, other) => one - other));
});

it('a lesson of 500 decks with the longest hooks stays below 16 kB', async () => {
  const caller = session();
  const { accountId } = caller;
  const ids = await postDecks(
    accountId,
    Array.from({ length: 500 }, (_, at) => `${at} ${'ü'.repeat(290)}`),
  );
  await world.service.db.query(
    `update decks set views = length(content_id) + ascii(md5(content_id)) * 50, measured_at = $2 where account_id = $1`,
    [accountId, startAt],
  );
  await enter(caller, ids[0]!, 12);
  const { lesson } = (await lessonsOf(caller))[0]!;
  expect([lesson.best.length, lesson.worst.length]).toEqual([5, 5]);
  expect(Buffer.byteLength(JSON.stringify(lesson))).toBeLessThan(16_000);
});

it('numbers that were read within 24 h of the post teach nothing', async () => {
  const caller = session();
  const ids = await postDecks(caller.accountId, hooks);
  const at = new Date(postedAt.getTime() + hourMs).toISOString();
  for (const id of ids) await world.call(caller, 'POST', `/v1/content/${id}/results`, { views: 900, at });
  expect(await lessonsOf(caller)).toEqual([]);
});
