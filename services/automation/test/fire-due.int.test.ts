import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import {
  createMigratedDatabase,
  startTestService,
  type TestService,
  testCaller,
} from '@hookline/testing/service-harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { channels } from '../src/channels.ts';
import { automation } from '../src/service.ts';
import { startPeerDoubles } from './peer-doubles.ts';

const owner = testCaller();
const peers = perSuite(startPeerDoubles);
let service: TestService;
let clock = new Date('2026-11-20T08:00:00.000Z');

beforeAll(async () => {
  peers.addApp(owner.accountId, 'product_mine');
  peers.addAccount(owner.accountId, 'account_mine');
  const env = { ...peers.env, PUBLIC_URL: 'http://localhost:8080' };
  service = await startTestService(automation, { env, now: () => clock });
});
afterAll(async () => {
  await service?.stop();
});

/** The clock of the service, whose worker looks at once and not at its next poll. */
async function turnTo(time: string): Promise<void> {
  clock = new Date(time);
  await service.db.query(`select pg_notify('${channels.plans}', '')`);
}

type Firing = { slot: string; status: string; reason: string | null };
const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

async function create(times: string[], limits: object = {}): Promise<string> {
  const postingTimes = times.map(time => ({ time, days: everyDay }));
  const target = { appId: 'product_mine', tiktokAccountId: 'account_mine', format: 'slideshow' };
  const body = { ...target, postingTimes, ...limits };
  const answer = await service.call('POST', '/v1/automations', { caller: owner, body });
  return (answer.body as { data: { id: string } }).data.id;
}
async function get(id: string): Promise<unknown> {
  const answer = await service.call('GET', `/v1/automations/${id}`, { caller: owner });
  return (answer.body as { data: unknown }).data;
}
function published(id: string, type: string): Record<string, unknown>[] {
  return service.published
    .filter(({ key, headers }) => key === id && headers.ce_type === type)
    .map(({ value }) => JSON.parse(value));
}
async function firingsOf(id: string): Promise<Firing[]> {
  const answer = await service.call('GET', `/v1/automations/${id}/firings`, { caller: owner });
  return (answer.body as { data: Firing[] }).data;
}

describe('fire-due', () => {
  it('a due slot fires once, its automation moves on to the next, and automation.fired is on the bus', async () => {
    await turnTo('2026-11-20T08:00:00.000Z');
    const id = await create(['09:00']);
    await turnTo('2026-11-20T09:00:00.000Z');
    await eventually(async () => expect(await firingsOf(id)).toHaveLength(1));
    expect((await firingsOf(id))[0]).toMatchObject({ slot: '2026-11-20T09:00:00.000Z', status: 'fired' });
    const record = await service.call('GET', `/v1/automations/${id}`, { caller: owner });
    expect(record.body).toMatchObject({ data: { nextFireAt: '2026-11-21T09:00:00.000Z' } });
    await eventually(() => expect(service.published.filter(({ key }) => key === id)).toHaveLength(1));
  });

  it('after downtime slots missed by at most 15 min fire, and the rest are skipped', async () => {
    await turnTo('2026-12-01T08:00:00.000Z');
    const id = await create(['09:00', '11:50']);
    await turnTo('2026-12-02T12:00:00.000Z');
    await eventually(async () => expect(await firingsOf(id)).toHaveLength(4));
    const bySlot = (await firingsOf(id)).sort((left, right) => left.slot.localeCompare(right.slot));
    expect(bySlot.map(({ slot, status }) => [slot, status])).toEqual([
      ['2026-12-01T09:00:00.000Z', 'skipped'],
      ['2026-12-01T11:50:00.000Z', 'skipped'],
      ['2026-12-02T09:00:00.000Z', 'skipped'],
      ['2026-12-02T11:50:00.000Z', 'fired'],
    ]);
    expect(bySlot[0]?.reason).toContain('missed');
    await eventually(() => expect(published(id, 'automation.fired')).toHaveLength(1));
    const told = [{ firing: bySlot[2], firstRepeat: false }];
    await eventually(() => expect(published(id, 'automation.skipped')).toEqual(told));
  });

  it('every slot missed in 400 days is recorded, and automation.skipped is sent once', async () => {
    await turnTo('2024-01-01T08:00:00.000Z');
    const id = await create(['09:00', '11:50']);
    await turnTo('2025-02-04T12:30:00.000Z');
    const count = () => service.db.query(`select count(*)::int from firings where automation_id = $1`, [id]);
    await eventually(async () => expect(await count()).toEqual([{ count: 802 }]));
    const newest = { firing: { slot: '2025-02-04T11:50:00.000Z', status: 'skipped' } };
    await eventually(() => expect(published(id, 'automation.skipped')).toMatchObject([newest]));
  });

  it('slots are skipped while the deletion of the workspace waits, and fire after its restore', async () => {
    await turnTo('2026-12-10T08:00:00.000Z');
    const id = await create(['09:00']);
    await service.db.query(`insert into workspace_standings values ($1, 'frozen', 1, now())`, [
      owner.accountId,
    ]);
    await turnTo('2026-12-10T09:00:00.000Z');
    await eventually(async () => expect(await firingsOf(id)).toHaveLength(1));
    const reason = 'the workspace was about to be deleted';
    expect(await firingsOf(id)).toMatchObject([{ status: 'skipped', reason }]);
    await service.db.query(`update workspace_standings set standing = 'open', revision = 2`);
    await turnTo('2026-12-11T09:00:00.000Z');
    await eventually(async () => expect(await firingsOf(id)).toHaveLength(2));
    expect((await firingsOf(id))[0]).toMatchObject({ slot: '2026-12-11T09:00:00.000Z', status: 'fired' });
    await eventually(() => expect(published(id, 'automation.fired')).toHaveLength(1));
  });

  it('slots that are due under the old plan are settled when the plan changes', async () => {
    await turnTo('2027-01-01T08:00:00.000Z');
    const id = await create(['09:00']);
    await turnTo('2027-01-01T09:00:00.000Z');
    const body = { postingTimes: [{ time: '18:00', days: everyDay }] };
    const changed = await service.call('PATCH', `/v1/automations/${id}`, { caller: owner, body });
    expect(changed.body).toMatchObject({ data: { nextFireAt: '2027-01-01T18:00:00.000Z' } });
    expect((await firingsOf(id)).map(({ slot }) => slot)).toEqual(['2027-01-01T09:00:00.000Z']);
  });

  it('a change of plan records every slot of the old plan, however many were missed', async () => {
    await turnTo('2025-01-01T08:00:00.000Z');
    const id = await create(['09:00', '10:00', '11:00', '12:00']);
    await turnTo('2026-02-05T08:00:00.000Z');
    const body = { postingTimes: [{ time: '18:00', days: everyDay }] };
    await service.call('PATCH', `/v1/automations/${id}`, { caller: owner, body });
    const count = await service.db.query('select count(*)::int from firings where automation_id = $1', [id]);
    expect(count).toEqual([{ count: 1_600 }]);
    const newest = { firing: { slot: '2026-02-04T12:00:00.000Z', status: 'skipped' } };
    await eventually(() => expect(published(id, 'automation.skipped')).toMatchObject([newest]));
  });
});

describe('topics and limits', () => {
  const topicsOf = (id: string) =>
    published(id, 'automation.fired').map(({ brief }) => (brief as { topic: string }).topic);

  it('slots that were missed use no topic and no firing', async () => {
    await turnTo('2027-03-01T08:00:00.000Z');
    const id = await create(['09:00', '09:10'], { topics: ['one', 'two', 'three'], maxFirings: 3 });
    await turnTo('2027-03-02T09:10:00.000Z');
    await eventually(async () => expect(await firingsOf(id)).toHaveLength(4));
    await eventually(() => expect(topicsOf(id)).toEqual(['one', 'two']));
    expect(await get(id)).toMatchObject({ nextTopic: 'three', firingsMade: 2, firingsLeft: 1 });
    await turnTo('2027-03-03T09:10:00.000Z');
    const ended = { status: 'ended', endedReason: 'max_firings', nextFireAt: null, firingsLeft: 0 };
    await eventually(async () => expect(await get(id)).toMatchObject(ended));
    expect(await firingsOf(id)).toHaveLength(5);
  });

  it('an automation ends with its last slot before `until`', async () => {
    await turnTo('2027-03-10T08:00:00.000Z');
    const id = await create(['09:00'], { until: '2027-03-11T18:00:00Z' });
    await turnTo('2027-03-10T09:00:00.000Z');
    await eventually(async () => expect(await firingsOf(id)).toHaveLength(1));
    expect(await get(id)).toMatchObject({ status: 'active', nextFireAt: '2027-03-11T09:00:00.000Z' });
    await turnTo('2027-03-13T09:00:00.000Z');
    const ended = { status: 'ended', endedReason: 'until', nextFireAt: null };
    await eventually(async () => expect(await get(id)).toMatchObject(ended));
    expect(await firingsOf(id)).toMatchObject([{ status: 'skipped' }, { status: 'fired' }]);
    await service.call('PATCH', `/v1/automations/${id}`, { caller: owner, body: { until: null } });
    expect(await get(id)).toMatchObject({ status: 'active', nextFireAt: '2027-03-14T09:00:00.000Z' });
  });

  it('slots that are due under the old limits are settled when the limits change', async () => {
    await turnTo('2027-03-20T08:00:00.000Z');
    const id = await create(['09:00'], { topics: ['one', 'two'], maxFirings: 1 });
    await turnTo('2027-03-20T09:00:00.000Z');
    const body = { topics: ['one', 'two', 'three'], maxFirings: 2 };
    await service.call('PATCH', `/v1/automations/${id}`, { caller: owner, body });
    expect(await get(id)).toMatchObject({ status: 'active', nextTopic: 'two', firingsLeft: 1 });
    await eventually(() => expect(topicsOf(id)).toEqual(['one']));
  });
});

describe('a database that forgot its last second', () => {
  const fired = (id: string): string[] =>
    service.published.filter(({ key }) => key === id).map(({ value }) => JSON.parse(value).firingId);

  it('a database that forgot its last second fires the slot again as the same firing', async () => {
    await turnTo('2027-04-01T08:00:00.000Z');
    const id = await create(['09:00'], { topics: ['one', 'two'], maxFirings: 9 });
    const [before] = await service.db.query<{ at: Date }>(
      'select next_fire_at as at from automations where id = $1',
      [id],
    );
    await turnTo('2027-04-01T09:00:01.000Z');
    await eventually(() => expect(fired(id)).toHaveLength(1));
    await service.db.transaction(async tx => {
      await tx.query('delete from firings where automation_id = $1', [id]);
      await tx.query(
        'update automations set next_fire_at = $2, firings_made = 0, topic_index = 0 where id = $1',
        [id, before?.at],
      );
    });
    await eventually(() => expect(fired(id)).toHaveLength(2));
    expect(new Set(fired(id)).size).toBe(1);
    const [first, again] = published(id, 'automation.fired');
    expect(again).toEqual(first);
  });

  it('a database that forgot its last second runs a repeated request once, and anew on another day', async () => {
    await turnTo('2027-04-03T23:00:00.000Z');
    const id = await create(['09:00']);
    const run = async (key: string) => {
      const headers = { 'idempotency-key': key };
      const answer = await service.call('POST', `/v1/automations/${id}/run`, { caller: owner, headers });
      return (answer.body as { data: { id: string } }).data.id;
    };
    const first = await run('nightly');
    await service.db.transaction(async tx => {
      await tx.query('delete from firings where automation_id = $1', [id]);
      await tx.query('delete from idempotency_keys');
    });
    await turnTo('2027-04-03T23:00:05.000Z');
    expect(await run('nightly')).toBe(first);
    expect(await run('another')).not.toBe(first);
    await turnTo('2027-04-04T23:00:05.000Z');
    expect(await run('nightly')).not.toBe(first);
  });
});

describe('two processes', () => {
  /** Five automations with a slot in each of the first ten minutes after nine, and two processes that share them. */
  async function onTwo(
    fields: object,
    check: (world: {
      first: TestService;
      second: TestService;
      ids: readonly string[];
      goTo: (time: string) => void;
    }) => Promise<void>,
  ): Promise<void> {
    const database = await createMigratedDatabase();
    const env = { ...peers.env, PUBLIC_URL: 'http://localhost:8080' };
    let shared = new Date('2026-11-20T08:00:00.000Z');
    const first = await startTestService(automation, { env, database, now: () => shared });
    const second = await startTestService(automation, { env, database, now: () => shared });
    try {
      const postingTimes = Array.from({ length: 10 }, (_, index) => ({
        time: `09:0${index}`,
        days: everyDay,
      }));
      const target = { appId: 'product_mine', tiktokAccountId: 'account_mine', format: 'slideshow' };
      const ids: string[] = [];
      for (let count = 0; count < 5; count += 1) {
        const body = { ...target, postingTimes, ...fields };
        const made = await first.call('POST', '/v1/automations', { caller: owner, body });
        ids.push((made.body as { data: { id: string } }).data.id);
      }
      const goTo = (time: string) => {
        shared = new Date(`2026-11-20T${time}:00.000Z`);
      };
      await check({ first, second, ids, goTo });
    } finally {
      await first.stop();
      await second.stop();
      await database.drop();
    }
  }

  it('two processes never fire more than maxFirings, and use every topic in turn', async () => {
    const topics = ['one', 'two', 'three', 'four', 'five'];
    await onTwo({ topics, maxFirings: 7 }, async ({ first, second, ids, goTo }) => {
      goTo('09:03');
      // Runs by hand race the slots on both processes.
      const runs = ids.flatMap(id =>
        [first, second, first].map(process =>
          process.call('POST', `/v1/automations/${id}/run`, { caller: owner }),
        ),
      );
      await Promise.all(runs);
      goTo('09:09');
      await eventually(async () => {
        const rows = await first.db.query<{ fired: number; topics: string[] }>(
          `select count(*)::int as fired, array_agg(topic order by slot) as topics from firings
           where status = 'fired' group by automation_id`,
        );
        expect(rows.map(({ fired }) => fired)).toEqual([7, 7, 7, 7, 7]);
        const turns = [...topics, 'one', 'two'].sort();
        for (const row of rows) expect(row.topics.toSorted()).toEqual(turns);
      });
      const ended = await first.db.query(
        `select status, firings_made as made, topic_index as turn from automations`,
      );
      expect(ended).toEqual(ids.map(() => ({ status: 'ended', made: 7, turn: 2 })));
    });
  });

  it('two processes fire every slot once between them', async () => {
    await onTwo({}, async ({ first, goTo }) => {
      goTo('09:09');
      await eventually(async () => {
        const [row] = await first.db.query<{ fired: number; slots: number }>(
          'select count(*)::int as fired, count(distinct (automation_id, slot))::int as slots from firings',
        );
        expect(row).toEqual({ fired: 50, slots: 50 });
      });
      const [events] = await first.db.query<{ total: number }>(
        'select coalesce(sum(sequence), 0)::int as total from event_sequences',
      );
      expect(events?.total).toBe(50);
    });
  });
});
