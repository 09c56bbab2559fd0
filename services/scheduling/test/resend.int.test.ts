/** Posts that failed at the platform because of temporary trouble: sent again automatically, never twice. */
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { describe, expect, it } from 'vitest';
import { inMs, type Json, startWorld } from './world.ts';

const world = perSuite(() =>
  startWorld({
    // The answer is written before the webhook comes, as with the real platform.
    simulators: { publishDelayMs: 100 },
    timings: { resendPausesMs: [2_000, 300], tryPauseMaxMs: 1_000 },
  }),
);

const whats = (schedule: Json): string[] => schedule.timeline.map((row: Json) => row.what);
const code = (answer: { status: number; body: Json }) => [answer.status, answer.body.error?.code];
const inits = (username: string): Promise<Json[]> =>
  world.control('GET', `init-requests?account=${username}`);
const told = (id: string): string[] =>
  world.service.published.filter(m => m.key === id).map(m => m.headers.ce_type as string);

/** A schedule whose first call failed: `pending` again. */
async function waitingAgain(kind = 'photo_pull_failed', change: Json = {}) {
  const ready = await world.ready();
  await world.setFaults({ operation: 'publish', kind, times: 1 });
  const body = { contentId: ready.content.id, tiktokAccountId: ready.account.id };
  const created = await world.schedule(ready.caller, { ...body, scheduledFor: inMs(20), ...change });
  const { id } = created.body.data;
  const path = `/v1/schedules/${id}`;
  const read = async (): Promise<Json> => (await world.call(ready.caller, 'GET', path)).body.data;
  const waiting = await eventually(async () => {
    const now = await read();
    // The row is read before its timeline.
    expect(whats(now)).toContain('requeued');
    expect(now.status).toBe('pending');
    return now;
  });
  return { ...ready, id, path, body, read, waiting };
}

describe('a call that the platform ended as failed', () => {
  it.each([
    ['photo_pull_failed', {}],
    ['internal', { mode: 'publish', privacyLevel: 'SELF_ONLY' }],
  ])(
    '%s once: the schedule waits as pending, is sent again with new links, and is one post',
    async (kind, change) => {
      const { caller, id, username, waiting } = await waitingAgain(kind, change);
      expect(waiting).toMatchObject({ status: 'pending', failure: null, outcome: null });
      expect(waiting.timeline.at(-1)).toMatchObject({
        what: 'requeued',
        detail: expect.stringMatching(
          /no post was made .* It will be sent again in 2 s \(attempt 2\)\. Retries end at .*Z\.$/,
        ),
      });
      expect((await world.over(caller, id)).status).toBe('sent');
      expect(await world.posts(username)).toHaveLength(1);
      const calls = await inits(username);
      expect(calls).toHaveLength(2);
      expect(new Date(calls[1].at).getTime() - new Date(calls[0].at).getTime()).toBeGreaterThanOrEqual(2_000);
      const attempts = await world.service.db.query<Json>(
        'select state, media_digest from attempts where schedule_id = $1 order by started_at',
        [id],
      );
      expect(attempts.map(row => row.state)).toEqual(['failed', 'delivered']);
      expect(attempts[0].media_digest.equals(attempts[1].media_digest)).toBe(false);
      await eventually(() => {
        const end = kind === 'internal' ? 'schedule.published' : 'schedule.sent_to_drafts';
        expect(told(id)).toEqual(['schedule.created', 'schedule.requeued', end]);
      });
    },
  );

  it('trouble without end fails the schedule at the end of the window; a person may try again', async () => {
    const lateMaxMs = 4_000;
    // At most four calls, and two after them: the pace allows six a minute.
    const timings = { resendPausesMs: [1_500], tryPauseMaxMs: 1_500, lateMaxMs };
    const short = await startWorld({ simulators: { publishDelayMs: 100 }, timings });
    try {
      const { caller, content, account, username } = await short.ready();
      await short.setFaults({ operation: 'publish', kind: 'photo_pull_failed' });
      const created = await short.schedule(caller, { contentId: content.id, tiktokAccountId: account.id });
      expect(created.status).toBe(201);
      const { id, scheduledFor } = created.body.data;
      const done = await short.over(caller, id, 20_000);
      expect(done.failure).toMatchObject({
        code: 'tiktok_create_failed',
        category: 'platform_unavailable',
        retryable: true,
        platformMessage: 'photo_pull_failed',
      });
      expect(new Date(done.updatedAt).getTime()).toBeGreaterThanOrEqual(
        new Date(scheduledFor).getTime() + lateMaxMs,
      );
      const resends = whats(done).filter(what => what === 'requeued');
      expect(resends.length).toBeGreaterThan(timings.resendPausesMs.length);
      expect(await short.control('GET', `init-requests?account=${username}`)).toHaveLength(
        resends.length + 1,
      );
      expect(await short.posts(username)).toEqual([]);
      await eventually(() => {
        const types = short.service.published.filter(m => m.key === id).map(m => m.headers.ce_type);
        const names = ['created', ...resends, 'failed'];
        expect(types).toEqual(names.map(name => `schedule.${name}`));
      });
      await short.setFaults({ operation: 'publish', kind: 'photo_pull_failed', times: 1 });
      expect((await short.call(caller, 'POST', `/v1/schedules/${id}/retry`)).status).toBe(200);
      expect((await short.over(caller, id, 20_000)).status).toBe('sent');
      expect(await short.posts(username)).toHaveLength(1);
    } finally {
      await short.stop();
    }
  }, 60_000);

  it('a failure with an id that is only attributed to the call does not repeat it', async () => {
    const { caller, content, account, username } = await world.ready();
    await world.setFaults(
      { operation: 'content_init', kind: 'accepted_then_slow', times: 1, delayMs: 4_000 },
      { operation: 'publish', kind: 'internal', times: 1 },
    );
    const body = { contentId: content.id, tiktokAccountId: account.id, scheduledFor: inMs(20) };
    const created = await world.schedule(caller, body);
    const done = await world.over(caller, created.body.data.id);
    expect(whats(done)).toContain('found');
    expect(whats(done)).not.toContain('requeued');
    expect(done.failure.platformMessage).toBe('internal');
    expect(await inits(username)).toHaveLength(1);
  });
});

describe('while it waits to be sent again', () => {
  it.each([{}, { title: 'Another' }])('PATCH of its time begins with the first pause: %j', async change => {
    const { caller, path, read } = await waitingAgain();
    await world.setFaults({ operation: 'publish', kind: 'photo_pull_failed', times: 1 });
    await world.call(caller, 'PATCH', path, { ...change, scheduledFor: inMs(20) });
    const lines = await eventually(async () => {
      const requeued = (await read()).timeline.filter(({ what }: Json) => what === 'requeued');
      expect(requeued).toHaveLength(2);
      return requeued;
    });
    expect(lines[1].detail).toContain('in 2 s (attempt 2)');
  });
  it('DELETE withdraws a schedule that waits to be sent again', async () => {
    const { caller, id, path, account, username } = await waitingAgain();
    const answer = await world.call(caller, 'DELETE', path);
    expect(answer.body).toEqual({ data: { id, deleted: true } });
    expect(code(await world.call(caller, 'GET', path))).toEqual([404, 'not_found']);
    // The creator's next post is due later than the withdrawn one would have been.
    const marker = world.content.addDeck(caller.accountId);
    const body = { contentId: marker.id, tiktokAccountId: account.id, scheduledFor: inMs(2_500) };
    const made = await world.schedule(caller, body);
    await world.over(caller, made.body.data.id);
    expect(await inits(username)).toHaveLength(2);
    expect(await world.posts(username)).toHaveLength(1);
    expect(told(id)).toEqual(['schedule.created', 'schedule.requeued', 'schedule.deleted']);
  });

  it('PATCH moves a schedule that waits to be sent again; retry answers already_scheduled', async () => {
    const { caller, id, path, body, username } = await waitingAgain();
    expect(code(await world.call(caller, 'POST', `${path}/retry`))).toEqual([409, 'already_scheduled']);
    expect(code(await world.schedule(caller, body))).toEqual([409, 'already_scheduled']);
    const later = inMs(3_000);
    const moved = await world.call(caller, 'PATCH', path, { scheduledFor: later });
    expect(moved.body.data).toMatchObject({ id, status: 'pending', scheduledFor: later });
    expect((await world.over(caller, id)).status).toBe('sent');
    const [, second] = await inits(username);
    expect(new Date(second.at).getTime()).toBeGreaterThanOrEqual(new Date(later).getTime());
    expect(await world.posts(username)).toHaveLength(1);
  });
});

describe('late news', () => {
  it("late news of a withdrawn schedule's fenced call does not end another call", async () => {
    await world.setFaults(
      { operation: 'content_init', kind: 'accepted_answer_dropped', times: 1 },
      { operation: 'pull', kind: 'late_pull', times: 1, delayMs: 4_000 },
      { operation: 'publish', kind: 'photo_pull_failed', times: 1 },
    );
    const { caller, content, account, username } = await world.ready();
    const body = { contentId: content.id, tiktokAccountId: account.id };
    const { id } = (await world.schedule(caller, body)).body.data;
    const path = `/v1/schedules/${id}`;
    await eventually(async () => {
      const { body: now } = await world.call(caller, 'GET', path);
      expect(whats(now.data)).toEqual(expect.arrayContaining(['attempt_closed', 'requeued']));
    });
    // The second call's slides are pulled and its answer is pending when the news of the first one arrives.
    await world.setFaults(
      { operation: 'content_init', kind: 'accepted_then_slow', times: 1, delayMs: 7_000 },
      { operation: 'publish', kind: 'slow_processing', times: 1, delayMs: 6_000 },
    );
    expect((await world.call(caller, 'DELETE', path)).status).toBe(200);
    const other = world.content.addDeck(caller.accountId);
    const made = await world.schedule(caller, { ...body, contentId: other.id, scheduledFor: inMs(20) });
    const { openId } = await world.control('GET', `tiktok/accounts/${username}`);
    const news = () =>
      world.service.db.query<Json>(
        `select a.state, a.schedule_id, o.pulled_at is not null as other_pulled, o.state as other_state
         from platform_events e
         join attempts a on a.publish_id = e.publish_id and a.state = 'fenced'
         join attempts o on o.schedule_id = $2
         where e.open_id = $1 and e.event = 'post.publish.failed'`,
        [openId, made.body.data.id],
      );
    await eventually(async () => {
      const expected = { state: 'fenced', schedule_id: null, other_pulled: true, other_state: 'calling' };
      expect(await news()).toEqual([expected]);
    }, 15_000);
    expect((await world.over(caller, made.body.data.id, 15_000)).status).toBe('sent');
    expect(await world.posts(username)).toHaveLength(1);
  }, 40_000);

  // This test is the last: the late pull of its first call would draw a fault that a later test sets.
  it('a call whose failure overtook its answer, and was attributed to an older one, is made again', async () => {
    await world.setFaults(
      { operation: 'content_init', kind: 'accepted_answer_dropped', times: 1 },
      { operation: 'pull', kind: 'late_pull', times: 1, delayMs: 8_000 },
      { operation: 'content_init', kind: 'accepted_then_slow', times: 1, delayMs: 1_500 },
      { operation: 'publish', kind: 'photo_pull_failed', times: 1 },
    );
    const { caller, content, account, username } = await world.ready();
    const body = { contentId: content.id, tiktokAccountId: account.id, scheduledFor: inMs(20) };
    const { id } = (await world.schedule(caller, body)).body.data;
    const attempts = (): Promise<Json[]> =>
      world.service.db.query(
        'select state, publish_id from attempts where schedule_id = $1 order by started_at',
        [id],
      );
    const overtaken = await eventually(async () => {
      const [first, second] = await attempts();
      expect([first.state, second.state, second.publish_id]).toEqual(['fenced', 'calling', null]);
      expect(first.publish_id).not.toBeNull();
      return first.publish_id;
    });
    expect((await world.over(caller, id)).status).toBe('sent');
    const [first, second, third] = await attempts();
    expect([first.state, second.state, third.state]).toEqual(['fenced', 'failed', 'delivered']);
    expect([first.publish_id, second.publish_id]).toEqual([null, overtaken]);
    expect(await world.posts(username)).toHaveLength(1);
  }, 30_000);
});
