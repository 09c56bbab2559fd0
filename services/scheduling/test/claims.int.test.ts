import { createLogger } from '@hookline/shared/kernel';
import type { Transaction } from '@hookline/shared/postgres';
import { lockWaits, openTestDatabase } from '@hookline/testing/database';
import { perSuite } from '@hookline/testing/per-suite';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeHeldDue, markCompared, recordApproval } from '../src/schedules/queries.ts';
import { acceptAttempts } from '../src/sending/batches.ts';
import { beginAttempts } from '../src/sending/begin.ts';
import { type Claimed, claimDue } from '../src/sending/claim.ts';
import { createDueSends } from '../src/sending/due-sends.ts';
import { findOutlook, renewLeases } from '../src/sending/queries.ts';
import { defaultTimings } from '../src/timings.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const database = perSuite(createMigratedDatabase);
const db = perSuite(() => openTestDatabase(database.roleUrl('scheduling'), 8));
// It analyzes as autovacuum would within a minute: plans kept from empty tables take the square of a backlog.
const admin = perSuite(() => openTestDatabase(database.url, 1));

beforeEach(async () => {
  for (const table of ['attempts', 'schedules', 'platform_accounts', 'creators'])
    await db.query(`delete from ${table}`);
});

const deps = () => ({
  db,
  log,
  now: () => new Date(),
  timings: defaultTimings,
  publicUrl: 'http://localhost',
});
const claim = (countMax: number) => claimDue(deps(), countMax);

/** Schedules of one creator, a millisecond apart. */
async function add(creator: string, count: number, dueIn = '-1 hour'): Promise<void> {
  await db.query('insert into creators (open_id) values ($1)', [creator]);
  await db.query(
    `insert into platform_accounts (id, account_id, open_id, username, display_name, status, scopes,
       access_token_sealed, access_expires_at, refresh_token_sealed, refresh_expires_at, connected_at, created_at, updated_at)
     values ($1, 'acct', $1, 'u', 'U', 'connected', '{video.upload}', 'x', now(), 'x', now(), now(), now(), now())`,
    [creator],
  );
  await db.query(
    `insert into schedules (id, account_id, platform_account_id, content_id, content_version, status, mode,
       scheduled_for, title, description, is_title_given, is_description_given, disable_comment, brand_organic,
       branded_content, ai_generated, auto_add_music, consented_at, is_immediate, due_at, created_at, updated_at)
     select $1 || '_' || n, 'acct', $1, 'content_' || $1 || n, 1, 'pending', 'draft', at, 'T', 'D', true, true, false,
       false, false, true, true, now(), false, at, now(), now()
     from (select n, now() + $3::interval + n * interval '1 ms' as at from generate_series(1, $2::int) n) rows`,
    [creator, count, dueIn],
  );
  if (count > 1_000) await admin.query('analyze scheduling.schedules');
}

it('nothing is claimed while the clock of the database has jumped', async () => {
  await add('a', 1);
  const claimed: string[] = [];
  let isSteady = false;
  const sends = createDueSends(
    { ...deps(), watch: { isReady: () => true }, clockIsSteady: () => isSteady },
    async ({ id }) => void claimed.push(id),
    () => {},
  );
  expect([await sends.work(), claimed]).toEqual([false, []]);
  isSteady = true;
  expect([await sends.work(), claimed]).toEqual([true, ['a_1']]);
  await sends.stop();
});

it.each<[string, (tx: Transaction) => Promise<void>]>([
  ['an approval', tx => recordApproval(tx, { id: 'one', coverImageId: null }, 1)],
  ['the end of a hold', tx => makeHeldDue(tx, 'one')],
  ['the start of an experiment', tx => markCompared(tx, 'acct', ['one'])],
])('%s locks schedules in the order of their ids, as senders do', async (_, change) => {
  for (const creator of ['a', 'b']) await add(creator, 1);
  // Neither the table nor an index has them in that order.
  for (const [id, account] of ['b_1 a', 'a_1 b'].map(pair => pair.split(' '))) {
    await db.query(
      `update schedules set content_id = 'one', platform_account_id = $2, held_since = now() where id = $1`,
      [id, account],
    );
  }
  let changed: Promise<void> | undefined;
  await db.transaction(async tx => {
    await tx.query(`select from schedules where id = 'a_1' for update`);
    changed = db.transaction(change);
    await lockWaits(db);
    await tx.query(`select from schedules where id = 'b_1' for update nowait`);
  });
  await changed;
});

const creatorOf = ({ account }: Claimed): string => account.openId;
const content = {
  imageIds: ['image_1'],
  contentVersion: 1,
  title: 'T',
  description: 'D',
  disableComment: false,
};
const begin = (claims: Claimed[], contentVersion = 1) =>
  beginAttempts(
    deps(),
    claims.map(one => ({ claim: one, openId: creatorOf(one), content: { ...content, contentVersion } })),
  );
async function send(claims: Claimed[]): Promise<(string | undefined)[]> {
  const begun = await begin(claims);
  const calls = claims.flatMap((one, at) => {
    const attempt = begun[at];
    return attempt ? [{ claim: one, attemptId: attempt.id, publishId: `p_${attempt.id}` }] : [];
  });
  await acceptAttempts(deps(), calls);
  return begun.map(one => one?.id);
}

describe('claimDue', () => {
  it('a claim takes the longest due first, one per creator, with a raised fence and the state sending', async () => {
    await add('a', 3);
    await add('b', 2, '-2 hours');
    const claims = await claim(10);
    expect(claims.map(({ id, fence }) => [id, fence]).sort()).toEqual([
      ['a_1', 1],
      ['b_1', 1],
    ]);
    expect(claims.every(({ row }) => row.status === 'sending' && !row.hasOpenAttempt)).toBe(true);
    expect(await claim(10)).toEqual([]);
    const timeline = await db.query<{ what: string }>('select what from schedule_timeline');
    expect(timeline).toEqual([{ what: 'sending' }, { what: 'sending' }]);
    expect((await claim(1)).length).toBe(0);
  });

  it('concurrent claims take nothing twice and never two of a creator', async () => {
    for (let n = 0; n < 12; n += 1) await add(`c${n}`, 4);
    const seen: Claimed[] = [];
    for (let round = 0; round < 12 && seen.length < 48; round += 1) {
      const answers = (await Promise.all(Array.from({ length: 6 }, () => claim(5)))).flat();
      const creators = answers.map(creatorOf);
      expect(new Set(creators).size).toBe(creators.length);
      seen.push(...answers);
      await send(answers);
      await db.query('update creators set init_stamps = default, next_init_at = null');
    }
    expect(seen).toHaveLength(48);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(48);
  });

  it("the backlog of a creator that must wait hides no other creator's schedule", async () => {
    await add('slow', 3_000, '-2 hours');
    await add('quick', 1);
    await db.query(`update creators set next_init_at = now() + interval '1 minute' where open_id = 'slow'`);
    expect((await claim(8)).map(({ id }) => id)).toEqual(['quick_1']);
  });

  it("a backlog moves to its creator's turns once, in order, and is read no longer", async () => {
    await add('slow', 3_000, '-2 hours');
    await db.query(`update creators set next_init_at = now() + interval '1 minute' where open_id = 'slow'`);
    // Each claim moves a batch.
    for (let round = 0; round < 2; round += 1) expect(await claim(8)).toEqual([]);
    const due = await db.query('select 1 from schedules where due_at <= now()');
    expect(due.length).toBeLessThan(8 * 4);
    const turns = await db.query<{ n: number; inS: number }>(
      `select split_part(id, '_', 2)::integer as n, extract(epoch from due_at - now())::float8 as "inS"
       from schedules where due_at > now() order by due_at`,
    );
    expect(turns.map(({ n }) => n)).toEqual(turns.map((_, at) => at + 1));
    expect(turns[0]?.inS).toBeGreaterThan(30);
    // Ten seconds apart: 6 a minute.
    expect((turns.at(-1)?.inS ?? 0) - (turns[0]?.inS ?? 0)).toBeCloseTo((turns.length - 1) * 10, 3);
    const before = await db.query('select id, due_at from schedules order by id');
    await add('quick', 1);
    expect((await claim(8)).map(({ id }) => id)).toEqual(['quick_1']);
    const after = await db.query("select id, due_at from schedules where id <> 'quick_1' order by id");
    expect(after).toEqual(before);
  });

  it('an expired lease is taken over, and its old fence counts no longer', async () => {
    await add('a', 1);
    const [first] = await claim(1);
    await db.query(`update schedules set lease_until = now() - interval '1 second'`);
    const [second] = await claim(1);
    expect([first!.fence, second!.fence]).toEqual([1, 2]);
    expect(await send([first!])).toEqual([undefined]);
    expect(await send([second!])).toEqual([expect.stringMatching(/^attempt_/)]);
  });

  it('the outlook names the next due time, the end of a lease or of a pace', async () => {
    expect(await findOutlook(db)).toEqual({ isDue: false, nextInMs: null });
    await add('a', 1, '10 seconds');
    const { isDue, nextInMs } = await findOutlook(db);
    expect(isDue).toBe(false);
    expect(nextInMs).toBeGreaterThan(8_000);
    expect(nextInMs).toBeLessThan(10_100);
    await db.query(`update schedules set due_at = now() - interval '1 second'`);
    expect((await findOutlook(db)).isDue).toBe(true);
    await db.query(`update creators set next_init_at = now() + interval '5 seconds'`);
    const paced = await findOutlook(db);
    expect(paced.nextInMs).toBeGreaterThan(4_000);
    expect(paced.nextInMs).toBeLessThan(5_100);
  });
});

describe('renewLeases', () => {
  it('leases are renewed in the order of the ids, in which batches of sends lock', async () => {
    for (const creator of ['b', 'a']) await add(creator, 1);
    const claims = (await claim(2)).sort((one, other) => other.id.localeCompare(one.id));
    expect(claims.map(({ id }) => id)).toEqual(['b_1', 'a_1']);
    // The first by id becomes the last in the table and in every index, whatever the plan reads.
    for (let isLast = false; !isLast; ) {
      await db.query(
        `update schedules set due_at = due_at + interval '1 second', lease_until = lease_until + interval '1 second'
         where id = 'a_1'`,
      );
      const [last] = await db.query<{ id: string }>('select id from schedules order by ctid desc limit 1');
      isLast = last?.id === 'a_1';
    }
    let working: Promise<unknown> | undefined;
    await db.transaction(async tx => {
      await tx.query(`select from schedules where id = 'a_1' for update`);
      working = db.transaction(other => renewLeases(other, claims, 8_000));
      await lockWaits(db);
      // While it waits for the first row it does not hold the second.
      await tx.query(`select from schedules where id = 'b_1' for update nowait`);
    });
    expect(await working).toHaveLength(2);
  });
});

describe('beginAttempts', () => {
  it('a batch begins one call per creator, and defers a second one', async () => {
    await add('a', 2);
    const [first] = await claim(1);
    await db.query(`update schedules set lease_until = null, status = 'pending' where id = 'a_1'`);
    await db.query(`update schedules set due_at = due_at + interval '1 day' where id = 'a_1'`);
    const [other] = await claim(1);
    await db.query(
      `update schedules set lease_until = now() + interval '8 seconds', status = 'sending', due_at = now() where id = 'a_1'`,
    );
    const begun = await begin([first!, other!], 2);
    expect(begun.filter(Boolean)).toHaveLength(1);
    const open = await db.query<{ id: string }>(
      `select schedule_id as id from attempts where state = 'calling'`,
    );
    expect(open).toHaveLength(1);
    // The newer version is news only of the one that is sent.
    const lines = await db.query(
      `select schedule_id as id, what, detail from schedule_timeline t where what <> 'sending' order by t.id`,
    );
    expect(lines).toEqual([
      { ...open[0], what: 'version_changed', detail: 'version 1 was edited; version 2 is sent' },
      { ...open[0], what: 'attempt_started', detail: expect.any(String) },
    ]);
  });

  it('batches begin 6 calls a minute: the seventh waits until the first has left the window', async () => {
    await add('a', 8);
    const begun: (string | undefined)[] = [];
    for (let n = 0; n < 6; n += 1) begun.push(...(await send(await claim(1))));
    expect(begun.filter(Boolean)).toHaveLength(6);
    expect(await claim(1)).toEqual([]);
    const [row] = await db.query<{ ms: number }>(
      `select (extract(epoch from next_init_at - init_stamps[5]) * 1000)::float8 as ms from creators`,
    );
    // Stamps are ordered newest first except for the last, which is the newest of all.
    expect(row!.ms).toBeCloseTo(60_500, -1);
  });

  it('each attempt has links of its own, stored as a digest', async () => {
    await add('a', 1);
    await add('b', 1);
    const [one, two] = await begin(await claim(2));
    const [first, second] = [one?.imageUrls[0] ?? '', two?.imageUrls[0] ?? ''];
    expect(first).toMatch(/^http:\/\/localhost\/media\/posts\/[\w-]{32}\/1$/);
    expect(first).not.toBe(second);
    const rows = await db.query('select * from attempts');
    expect(JSON.stringify(rows)).not.toContain(first.split('/')[5]);
  });
});
