import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { type TestService, testCaller } from '@hookline/testing/service-harness';
import { endVictims } from '@hookline/testing/victims';
import { afterEach, describe, expect, it } from 'vitest';
import { inMs, type Json, startWorker, startWorld } from './world.ts';

const timings = { resendPausesMs: [2_000, 500], leaseMs: 1_500, leaseRenewalMs: 300 };

const world = perSuite(() =>
  startWorld({
    role: 'api',
    simulators: { publishDelayMs: 100 },
    timings,
  }),
);

let heirs: TestService[] = [];
const startHeir = async (): Promise<void> => void heirs.push(await world.startAnother());

afterEach(async () => {
  await Promise.all(heirs.map(heir => heir.stop()));
  heirs = [];
  await endVictims();
});

describe('a worker that dies during its call', () => {
  const latePull = { operation: 'pull', kind: 'late_pull', times: 1, delayMs: 5_000 };
  it.each([
    {
      when: 'before any slide was pulled: the call is fenced and repeated',
      ...{ also: [latePull], entry: 'attempt_closed', calls: 2 },
    },
    {
      when: 'after a pull: it is never called again, and settled by the webhook',
      ...{ also: [], entry: 'found', calls: 1 },
    },
  ])(
    '$when; one post, taken over while somebody waits',
    async ({ also, entry, calls: callCount }) => {
      const { caller, content, account, username } = await world.ready();
      const victim = await startWorker(world, timings);
      const slow = { operation: 'content_init', kind: 'accepted_then_slow', times: 1, delayMs: 30_000 };
      await world.setFaults(slow, ...also);
      // Webhooks are registered only after the kill, so that the dead worker's call is open when the other
      // takes over.
      await world.control('PUT', 'tiktok/client', { webhookUrl: null });
      const due = new Date(Date.now() + 50).toISOString();
      const created = await world.schedule(caller, {
        contentId: content.id,
        tiktokAccountId: account.id,
        scheduledFor: due,
      });
      const { id } = created.body.data;
      const calls = (): Promise<Json[]> => world.control('GET', `init-requests?account=${username}`);
      await eventually(async () => expect(await calls()).toHaveLength(1));
      // Its news is sent while no webhook is registered, so that only the finished draft reports it later.
      const isFound = entry === 'found';
      if (isFound) await eventually(async () => expect(await world.posts(username)).toHaveLength(1));
      await world.control('PUT', 'tiktok/client', {
        webhookUrl: `${world.service.url}/platform/tiktok/events`,
      });
      victim.kill('SIGKILL');
      const killedAt = Date.now();
      await startHeir();
      if (isFound) {
        const [share] = await world.posts(username);
        await eventually(async () => {
          const { body } = await world.call(caller, 'GET', `/v1/schedules/${id}`);
          expect(body.data.timeline.map((row: Json) => row.what)).toContain('unconfirmed');
        }, 30_000);
        await world.control('POST', `tiktok/drafts/${share.publishId}/publish`);
      }
      const done = await world.over(caller, id, 90_000);
      // The lease ends after 1.5 s, and a poll that the dead worker had begun after 30 s; the rest is room for a
      // busy machine. What a calm one takes is in the races of the proofs.
      expect(Date.now() - killedAt).toBeLessThan(90_000);
      expect(done.status).toBe('sent');
      expect(done.timeline.map((row: Json) => row.what)).toContain(entry);
      expect(await world.posts(username)).toHaveLength(1);
      expect(await calls()).toHaveLength(callCount);
    },
    180_000,
  );
});

describe('a worker that dies between the calls of a schedule', () => {
  it('a worker that dies while a post waits to be sent again, or in its second call, makes one post', async () => {
    const { caller, content, account, username } = await world.ready();
    const calls = (): Promise<Json[]> => world.control('GET', `init-requests?account=${username}`);
    const first = await startWorker(world, timings);
    await world.setFaults({ operation: 'publish', kind: 'photo_pull_failed', times: 1 });
    const created = await world.schedule(caller, {
      contentId: content.id,
      tiktokAccountId: account.id,
      scheduledFor: new Date(Date.now() + 50).toISOString(),
    });
    const { id } = created.body.data;
    const read = async (): Promise<Json> =>
      (await world.call(caller, 'GET', `/v1/schedules/${id}`)).body.data;
    await eventually(async () => expect((await read()).status).toBe('sending'));
    await eventually(async () => expect((await read()).status).toBe('pending'));
    first.kill('SIGKILL');
    await world.setFaults(
      { operation: 'content_init', kind: 'accepted_then_slow', times: 1, delayMs: 30_000 },
      { operation: 'pull', kind: 'late_pull', times: 1, delayMs: 6_000 },
    );
    const second = await startWorker(world, timings);
    await eventually(async () => expect(await calls()).toHaveLength(2));
    second.kill('SIGKILL');
    await startHeir();
    const done = await world.over(caller, id, 30_000);
    expect(done.status).toBe('sent');
    const whats = done.timeline.map((row: Json) => row.what);
    expect(whats).toEqual(expect.arrayContaining(['requeued', 'attempt_closed', 'sent']));
    expect(await calls()).toHaveLength(3);
    // The late pull of the second call gets 404.
    await eventually(async () => {
      const { counters } = await world.control('GET', `tiktok/accounts/${username}`);
      expect(counters).toMatchObject({ accepted: 3, arrived: 1, failed: 2 });
    }, 40_000);
  }, 120_000);
});

describe('two workers', () => {
  it('two workers send each schedule once between them', async () => {
    await world.setFaults();
    await Promise.all([startHeir(), startHeir()]);
    const ready = await Promise.all(Array.from({ length: 12 }, () => world.ready()));
    const scheduledFor = inMs(400);
    const made = await Promise.all(
      ready.map(({ caller, content, account }) =>
        world.schedule(caller, { contentId: content.id, tiktokAccountId: account.id, scheduledFor }),
      ),
    );
    for (const [at, { caller, username }] of ready.entries()) {
      await world.over(caller, made[at]!.body.data.id, 60_000);
      expect(await world.posts(username)).toHaveLength(1);
      expect(await world.control('GET', `init-requests?account=${username}`)).toHaveLength(1);
    }
  }, 120_000);
});

it('a worker that is killed while it hands a post to a phone leaves it to another, which makes it due once', async () => {
  const caller = testCaller();
  const phone = await world.call(caller, 'POST', '/v1/accounts/phone', { name: 'Maya makes' });
  const { id: contentId } = world.content.addDeck(caller.accountId);
  const tiktokAccountId = phone.body.data.id;
  const body = { contentId, tiktokAccountId, scheduledFor: inMs(1_000) };
  const { id } = (await world.schedule(caller, body)).body.data;
  const read = async (): Promise<Json> => (await world.call(caller, 'GET', `/v1/schedules/${id}`)).body.data;
  const held = Promise.withResolvers<void>();
  world.content.readsAfter = held.promise;
  const victim = await startWorker(world, timings);
  await eventually(async () => expect((await read()).status).toBe('sending'), 10_000);
  victim.kill('SIGKILL');
  world.content.readsAfter = null;
  held.resolve();
  await startHeir();
  await eventually(async () => expect((await read()).status).toBe('due'), 30_000);
  expect((await read()).timeline.map((row: Json) => row.what)).toEqual(['created', 'sending', 'due']);
}, 60_000);
