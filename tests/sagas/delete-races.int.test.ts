/** DELETE against the sender (G-S6): the service's API in this process, its workers in two others. */
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { endVictims } from '@hookline/testing/victims';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorker, startWorld } from '../../services/scheduling/test/world.ts';

/** One creator with one schedule at a time. */
type Lane = {
  create(title: string, scheduledFor: Date): Promise<string>;
  /** DELETE's answer: `deleted`, or the error's code. */
  remove(id: string): Promise<string>;
};
type Race = { title: string; id: string; answer: string };

const [count, lanesCount] = [150, 25];
// DELETE leaves by this share of the lead before the due time: near it both compete for the row, earlier it wins.
const leaves = [0, 0.01, -0.01, 0.02, 0, 0.1, 0.5];
const spacingMs = 7;
// Twice as long as requests take before the first due time of a round, on a slow machine too.
let leadMs = 350;

const world = perSuite(() => startWorld({ role: 'api' }));

beforeAll(async () => {
  await startWorker(world);
  await startWorker(world);
});
afterAll(async () => {
  await endVictims();
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

async function race(lane: Lane, title: string, dueMs: number, leave: number): Promise<Race> {
  const begunMs = Date.now();
  const id = await lane.create(title, new Date(dueMs));
  leadMs = Math.max(leadMs, 2 * (Date.now() - begunMs));
  await until(dueMs - leave * leadMs);
  return { title, id, answer: await lane.remove(id) };
}

/** Timers are accurate to a millisecond or two: the rest is spent in event-loop turns. */
async function until(timeMs: number): Promise<void> {
  const now = () => performance.timeOrigin + performance.now();
  await wait(Math.max(0, timeMs - now() - 3));
  while (now() < timeMs) await new Promise(resolve => setImmediate(resolve));
}

it(`no schedule is deleted and posted in ${count} races of DELETE with the sender`, async () => {
  const lanes: Lane[] = [];
  while (lanes.length < lanesCount) lanes.push(await openLane());
  const races: Race[] = [];
  for (let round = 0; races.length < count; round += 1) {
    // Without the limit of 6 posts a minute, which would make the run take hours.
    await world.service.db.query(`update creators set init_stamps = '{}', next_init_at = null`);
    const firstDueMs = Date.now() + leadMs;
    const runs = lanes.map((lane, at) =>
      race(lane, `race ${round} ${at}`, firstDueMs + at * spacingMs, leaves[(at + round) % leaves.length]!),
    );
    races.push(...(await Promise.all(runs)));
    await eventually(async () => {
      const open = await world.service.db.query(
        `select 1 from schedules where status in ('pending', 'sending') limit 1`,
      );
      expect(open).toEqual([]);
    }, 30_000);
  }
  const posts = Map.groupBy(
    (await world.control('GET', 'posts')) as { title: string }[],
    ({ title }) => title,
  );
  const rows = await world.service.db.query<{ id: string; status: string }>(
    'select id, status from schedules',
  );
  const statuses = new Map(rows.map(({ id, status }) => [id, status]));
  for (const { title, id, answer } of races) {
    const found = { title, answer, status: statuses.get(id), posts: posts.get(title)?.length ?? 0 };
    const isDeleted = answer === 'deleted';
    expect(found).toEqual({
      title,
      answer: isDeleted ? 'deleted' : expect.stringMatching(/^already_(sending|sent)$/),
      status: isDeleted ? undefined : 'sent',
      posts: isDeleted ? 0 : 1,
    });
  }
  // Otherwise one side always won, and nothing raced.
  const deleted = races.filter(({ answer }) => answer === 'deleted').length;
  expect(deleted).toBeGreaterThan(0);
  expect(deleted).toBeLessThan(races.length);
}, 240_000);
