import { dayMs } from '@hookline/shared/kernel/durations';
import { openTestDatabase } from '@hookline/testing/database';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { startTestService, type TestService, testCaller } from '@hookline/testing/service-harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { channels } from '../src/channels.ts';
import { automation } from '../src/service.ts';
import { startPeerDoubles } from './peer-doubles.ts';

const owner = testCaller();
const peers = perSuite(startPeerDoubles);
let service: TestService;
let env: Record<string, string> = {};
let clock = new Date('2026-11-20T08:00:00.000Z');

beforeAll(async () => {
  peers.addApp(owner.accountId, 'product_mine');
  peers.addAccount(owner.accountId, 'account_mine');
  env = { ...peers.env, PUBLIC_URL: 'http://localhost:8080' };
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
const longTopic = 'x'.repeat(600);

async function create(time: string): Promise<string> {
  const body = {
    appId: 'product_mine',
    tiktokAccountId: 'account_mine',
    format: 'slideshow',
    postingTimes: [{ time, days: everyDay }],
  };
  const answer = await service.call('POST', '/v1/automations', { caller: owner, body });
  return (answer.body as { data: { id: string } }).data.id;
}
async function firingsOf(id: string): Promise<Firing[]> {
  const answer = await service.call('GET', `/v1/automations/${id}/firings`, { caller: owner });
  return (answer.body as { data: Firing[] }).data;
}
/** Read from the table: the API does not return a brief that breaks its schema. */
async function recordOf(id: string): Promise<{ status: string; nextFireAt: Date | null } | undefined> {
  const [row] = await service.db.query<{ status: string; nextFireAt: Date | null }>(
    'select status, next_fire_at as "nextFireAt" from automations where id = $1',
    [id],
  );
  return row;
}
/** Makes it the oldest due slot, so that it is in every batch. */
async function spoil(
  id: string,
  column: 'timezone' | 'brief' | 'posting_times',
  value: string,
): Promise<void> {
  const type = column === 'timezone' ? 'text' : 'jsonb';
  await service.db.query(`update automations set ${column} = $2::text::${type} where id = $1`, [id, value]);
}
async function dayBegins(): Promise<string> {
  const day = new Date(clock.getTime() + dayMs).toISOString().slice(0, 10);
  clock = new Date(`${day}T08:00:00.000Z`);
  await service.db.query('update automations set next_fire_at = null');
  return day;
}

const causes = [
  {
    what: 'a zone that this runtime does not know',
    column: 'timezone',
    value: 'Europe/Atlantis',
    names: 'timezone',
  },
  {
    what: 'a brief that the schema of the event refuses',
    column: 'brief',
    value: JSON.stringify({ topic: longTopic, templateId: 'quote-card' }),
    names: 'brief.topic',
  },
] as const;

describe.each(causes)('an automation with $what', ({ column, value, names }) => {
  it('an automation that cannot be settled is set aside with its reason, and those due with it fire', async () => {
    const day = await dayBegins();
    const bad = await create('09:00');
    const good = await Promise.all(Array.from({ length: 5 }, () => create('09:01')));
    await spoil(bad, column, value);
    await turnTo(`${day}T09:01:01.000Z`);
    await eventually(async () => {
      for (const id of good) expect(await firingsOf(id)).toMatchObject([{ status: 'fired' }]);
    }, 20_000);
    const firings = await firingsOf(bad);
    expect(firings).toMatchObject([{ slot: `${day}T09:00:00.000Z`, status: 'failed' }]);
    expect(firings[0]?.reason).toMatch(/^set_aside: /);
    expect(firings[0]?.reason).toContain(names);
    expect(firings[0]?.reason).not.toContain(longTopic);
    expect(await recordOf(bad)).toMatchObject({ status: 'active', nextFireAt: null });
    expect(service.published.filter(({ key }) => key === bad)).toHaveLength(0);
  });
});

describe('trouble with the database', () => {
  it('trouble with the database sets nothing aside: what is due fires when it has passed', async () => {
    const day = await dayBegins();
    const ids = await Promise.all(Array.from({ length: 3 }, () => create('09:00')));
    const { database } = service;
    const admin = openTestDatabase(database.url, 1);
    await admin.query('revoke insert on automation.outbox from automation');
    await turnTo(`${day}T09:00:01.000Z`);
    // Two rounds of the worker, which pauses for a second after an error.
    await new Promise(resolve => setTimeout(resolve, 3_000));
    for (const id of ids) expect(await firingsOf(id)).toEqual([]);
    await admin.query('grant insert on automation.outbox to automation');
    await admin.close();
    await eventually(async () => {
      for (const id of ids) expect(await firingsOf(id)).toMatchObject([{ status: 'fired' }]);
    }, 20_000);
  });
});

describe('an automation that was set aside', () => {
  async function setAside(column: 'timezone' | 'brief', value: string): Promise<{ id: string; day: string }> {
    const day = await dayBegins();
    const id = await create('09:00');
    await spoil(id, column, value);
    await turnTo(`${day}T09:00:01.000Z`);
    await eventually(async () => expect(await firingsOf(id)).toMatchObject([{ status: 'failed' }]), 20_000);
    return { id, day };
  }

  it('an automation that was set aside is armed by a change that repairs it', async () => {
    const { id, day } = await setAside('timezone', 'Europe/Atlantis');
    const body = { timezone: 'UTC', postingTimes: [{ time: '10:00', days: everyDay }] };
    const changed = await service.call('PATCH', `/v1/automations/${id}`, { caller: owner, body });
    expect(changed.body).toMatchObject({ data: { nextFireAt: `${day}T10:00:00.000Z` } });
    await turnTo(`${day}T10:00:01.000Z`);
    await eventually(async () => {
      expect((await firingsOf(id)).map(({ status }) => status)).toEqual(['fired', 'failed']);
    }, 20_000);
  });

  it('400 names the field when an automation that was set aside is used unrepaired', async () => {
    const { id } = await setAside('timezone', 'Europe/Atlantis');
    const path = `/v1/automations/${id}`;
    const patched = await service.call('PATCH', path, { caller: owner, body: { approvalMode: 'auto' } });
    expect(patched).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/^timezone/) } },
    });
    const next = await service.call('GET', `${path}/next`, { caller: owner });
    expect(next).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/^timezone/) } },
    });
    const brief = await setAside('brief', JSON.stringify({ topic: longTopic, templateId: 'quote-card' }));
    const run = await service.call('POST', `/v1/automations/${brief.id}/run`, { caller: owner, body: {} });
    expect(run).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/^brief\.topic/) } },
    });
  });

  it.each([
    ['a stricter version refuses', { topic: longTopic }, { topic: longTopic }],
    [
      'a newer version stored, without what is not known',
      { tone: 'dry', topic: 'sleep' },
      { topic: 'sleep' },
    ],
  ])(
    'an automation with a brief that %s is shown with its account, and changed',
    async (_, stored, shown) => {
      const { id } = await setAside('brief', JSON.stringify(stored));
      const list = await service.call('GET', '/v1/automations', { caller: owner });
      expect(list).toMatchObject({
        status: 200,
        body: { data: expect.arrayContaining([expect.objectContaining({ id, brief: shown })]) },
      });
      const body = { brief: { topic: 'rest' } };
      const changed = await service.call('PATCH', `/v1/automations/${id}`, { caller: owner, body });
      expect(changed).toMatchObject({ status: 200, body: { data: { brief: body.brief } } });
    },
  );

  it.each([
    ['a stricter version refuses', { time: '09:00', days: ['mon', 'mon'] }, {}],
    ['a newer version stored, without what is not known', { time: '09:00', days: ['mon'] }, { jitter: 5 }],
  ])('an automation with posting times that %s is shown', async (_, known, unknown) => {
    const id = await create('09:00');
    await spoil(id, 'posting_times', JSON.stringify([{ ...known, ...unknown }]));
    const read = await service.call('GET', `/v1/automations/${id}`, { caller: owner });
    expect(read).toMatchObject({ status: 200, body: { data: { postingTimes: [known] } } });
  });

  it('an automation that was set aside is armed for its next slot when a worker that can settle it starts', async () => {
    const { id, day } = await setAside(
      'brief',
      JSON.stringify({ topic: longTopic, templateId: 'quote-card' }),
    );
    const { database } = service;
    const start = () => startTestService(automation, { env, database, now: () => clock });
    const unrepaired = await start();
    await unrepaired.stop();
    expect(await recordOf(id)).toMatchObject({ nextFireAt: null });
    await spoil(id, 'brief', JSON.stringify({ templateId: 'quote-card' }));
    const repaired = await start();
    try {
      const tomorrow = new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);
      await eventually(async () => {
        expect(await recordOf(id)).toMatchObject({ nextFireAt: new Date(`${tomorrow}T09:00:00.000Z`) });
      }, 20_000);
    } finally {
      await repaired.stop();
    }
  });
});
