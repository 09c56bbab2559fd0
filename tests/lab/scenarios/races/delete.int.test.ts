/** G-S6 in small: the service's API in this process, its workers in two others. */
import { eventually } from '@hookline/testing/eventually';
import { testCaller } from '@hookline/testing/service-harness';
import { endVictims } from '@hookline/testing/victims';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorker, startWorld, type World } from '../../../../services/scheduling/test/world.ts';
import { checkRaces } from './check-races.ts';
import { type Lane, type RaceLine, runDeleteRaces } from './delete-races.ts';

const count = 500;
const lanesCount = 25;

let world: World;
beforeAll(async () => {
  world = await startWorld({ role: 'api' });
  await startWorker(world);
  await startWorker(world);
});
afterAll(async () => {
  await endVictims();
  await world.stop();
});

async function openLane(): Promise<Lane> {
  const caller = testCaller();
  const username = await world.newCreator();
  await world.control('PUT', `tiktok/accounts/${username}`, { initPerMinuteMax: 100_000 });
  const account = await world.connect(caller, { username });
  const content = world.content.addDeck(caller.accountId, { slides: 2 });
  return {
    async create(title, scheduledFor) {
      const body = { contentId: content.id, tiktokAccountId: account.id, title };
      const answer = await world.schedule(caller, { ...body, scheduledFor: scheduledFor.toISOString() });
      return answer.body.data.id;
    },
    async remove(id) {
      const { status, body } = await world.call(caller, 'DELETE', `/v1/schedules/${id}`);
      return status === 200 ? 'deleted' : body.error.code;
    },
  };
}

it(`never deletes and posts the same schedule in ${count} races of DELETE against the sender`, async () => {
  const lanes: Lane[] = [];
  while (lanes.length < lanesCount) lanes.push(await openLane());
  const lines: RaceLine[] = [];
  await runDeleteRaces({
    lanes,
    count,
    isStrict: false,
    leadMs: 350,
    beforeRound: async () => {
      await world.service.db.query(`update creators set init_stamps = '{}', next_init_at = null`);
    },
    untilNoneIsOpen: () =>
      eventually(async () => {
        const open = await world.service.db.query(
          `select 1 from schedules where status in ('pending', 'sending') limit 1`,
        );
        expect(open).toEqual([]);
      }, 30_000),
    onRace: line => lines.push(line),
  });
  const posts = await world.control('GET', 'posts');
  const rows = await world.service.db.query<{ id: string; status: string }>(
    'select id, status from schedules',
  );
  const { verdicts, figures } = checkRaces(lines, posts, new Map(rows.map(row => [row.id, row])));
  expect(verdicts.lines().join('\n')).not.toMatch(/lost [1-9]|unexpected [1-9]|duplicated [1-9]/);
  expect(figures.races).toBeGreaterThanOrEqual(count);
  // Otherwise one side always won, and nothing raced.
  expect(figures.deleted).toBeGreaterThan(0);
  expect(figures.alreadySending + figures.alreadySent).toBeGreaterThan(0);
}, 240_000);
