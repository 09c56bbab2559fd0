import { setTimeout as delay } from 'node:timers/promises';
import { openTestDatabase } from '@hookline/testing/database';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { describe, expect, it } from 'vitest';
import { setWorkspacePause } from '../src/pauses/pause.ts';
import { inMs, type Json, startWorld } from './world.ts';

const world = perSuite(() =>
  startWorld({ withoutWebhooks: true, timings: { settleWithinMs: 2_500, callTimeoutMs: 600 } }),
);

/** The next writes of accepted calls end as the victim of a deadlock. */
async function refuseAccepted(times: number): Promise<void> {
  const { url } = world.service.database;
  const superuser = openTestDatabase(url, 1);
  // A sequence keeps its value when the transaction is undone.
  await superuser.query('create sequence scheduling.accepts');
  await superuser.query(
    `create function scheduling.refuse_accepted() returns trigger language plpgsql security definer as $$ begin
       if nextval('scheduling.accepts') <= ${times} then raise exception using errcode = '40P01'; end if;
       return new;
     end $$`,
  );
  await superuser.query(
    `create trigger refuse_accepted before update on scheduling.attempts
     for each row when (new.state = 'accepted' and old.state = 'calling')
     execute function scheduling.refuse_accepted()`,
  );
  await superuser.close();
}

describe('without the platform’s webhooks', () => {
  it('the public id of a post is found by further status calls', async () => {
    const { caller, content, account } = await world.ready();
    const body = { mode: 'publish', privacyLevel: 'PUBLIC_TO_EVERYONE' };
    const created = await world.schedule(caller, {
      ...body,
      contentId: content.id,
      tiktokAccountId: account.id,
    });
    await eventually(async () => {
      const { body: one } = await world.call(caller, 'GET', `/v1/schedules/${created.body.data.id}`);
      expect(one.data.platformPostId).toMatch(/^\d{19}$/);
    }, 10_000);
  });

  it('the publish id of an accepted post is recorded although the first writes meet a deadlock', async () => {
    await refuseAccepted(2);
    const { caller, content, account, username } = await world.ready();
    const body = { contentId: content.id, tiktokAccountId: account.id, scheduledFor: inMs(20) };
    const created = await world.schedule(caller, body);
    const done = await world.over(caller, created.body.data.id, 30_000);
    expect(done).toMatchObject({ status: 'sent', outcome: 'sent_to_drafts', failure: null });
    const whats: string[] = done.timeline.map((row: Json) => row.what);
    expect(whats.filter(what => what === 'accepted')).toHaveLength(1);
    expect(await world.control('GET', `init-requests?account=${username}`)).toHaveLength(1);
  }, 40_000);

  it('a call that was pulled and never answered ends as outcome_unknown, and is never sent again', async () => {
    const { caller, content, account, username } = await world.ready();
    await world.setFaults({
      operation: 'content_init',
      kind: 'accepted_then_slow',
      times: 1,
      delayMs: 5_000,
    });
    const created = await world.schedule(caller, { contentId: content.id, tiktokAccountId: account.id });
    expect(created.status).toBe(201);
    expect(created.body.data.status).toBe('sending');
    const done = await world.over(caller, created.body.data.id, 15_000);
    expect(done.failure).toMatchObject({
      code: 'outcome_unknown',
      category: 'outcome_unknown',
      retryable: false,
    });
    const retried = await world.call(caller, 'POST', `/v1/schedules/${done.id}/retry`);
    expect(retried.body.error.code).toBe('not_postable');
    expect(await world.posts(username)).toHaveLength(1);
    expect(await world.control('GET', `init-requests?account=${username}`)).toHaveLength(1);
    const types = await eventually(() => {
      const seen = world.service.published.filter(m => m.key === done.id).map((m: Json) => m.headers.ce_type);
      expect(seen).toHaveLength(2);
      return seen;
    });
    expect(types).toEqual(['schedule.created', 'schedule.failed']);
  }, 20_000);

  it('a post says that it waits for the open outcome of another one, as long as it does', async () => {
    const { caller, content, account, username } = await world.ready();
    await world.setFaults({
      operation: 'content_init',
      kind: 'accepted_then_slow',
      times: 1,
      delayMs: 5_000,
    });
    const body = { contentId: content.id, tiktokAccountId: account.id };
    const silent = (await world.schedule(caller, body)).body.data;
    const contentId = world.content.addDeck(caller.accountId).id;
    const { id } = (await world.schedule(caller, { ...body, contentId, scheduledFor: inMs(20) })).body.data;
    const read = async () => (await world.call(caller, 'GET', `/v1/schedules/${id}`)).body.data;
    await eventually(async () => {
      const { status, timeline } = await read();
      expect(status).toBe('pending');
      expect(timeline.at(-1)).toMatchObject({
        what: 'paced',
        detail: 'the outcome of another post of the account is open',
      });
    });
    expect((await world.over(caller, silent.id, 15_000)).failure.code).toBe('outcome_unknown');
    const done = await world.over(caller, id, 15_000);
    expect(done.status).toBe('sent');
    expect(done.timeline.map((row: Json) => row.what)).not.toContain('paced');
    expect(await world.posts(username)).toHaveLength(2);
  }, 40_000);

  it('502 tiktok_create_failed when the platform cannot be reached at all', async () => {
    const away = await startWorld({ withoutWebhooks: true });
    try {
      const { caller, content, account } = await away.ready();
      await away.stopPlatform();
      const body = { contentId: content.id, tiktokAccountId: account.id };
      const answer = await away.schedule(caller, body);
      expect([answer.status, answer.body.error.code]).toEqual([502, 'tiktok_create_failed']);
      const { body: list } = await away.call(caller, 'GET', '/v1/schedules');
      expect(list.data[0].failure).toMatchObject({ category: 'platform_unavailable', retryable: true });
    } finally {
      await away.stop();
    }
  });

  it('a post now whose request was answered before its call survives a platform that is away', async () => {
    const away = await startWorld({ withoutWebhooks: true, timings: { postNowWaitMs: 300 } });
    try {
      const { caller, content, account } = await away.ready();
      const sender = { db: away.service.db, now: () => new Date() };
      await setWorkspacePause(sender, caller.accountId, true);
      const body = { contentId: content.id, tiktokAccountId: account.id };
      const made = await away.schedule(caller, body);
      expect(made.status).toBe(201);
      await away.stopPlatform();
      await delay(300);
      await setWorkspacePause(sender, caller.accountId, false);
      await eventually(async () => {
        const { body: now } = await away.call(caller, 'GET', `/v1/schedules/${made.body.data.id}`);
        const whats = now.data.timeline.map((row: Json) => row.what);
        expect(whats.filter((what: string) => what === 'unreachable').length).toBeGreaterThan(1);
        expect(now.data.failure).toBeNull();
      });
    } finally {
      await away.stop();
    }
  });
});

describe('late news from the platform after the schedule was given up', () => {
  const slow = perSuite(() =>
    startWorld({
      withoutWebhooks: true,
      timings: { settleWithinMs: 1_500, pollAgainMs: 500 },
      simulators: { publishDelayMs: 3_500 },
    }),
  );

  async function giveUp() {
    const ready = await slow.ready();
    const { caller, content, account } = ready;
    const created = await slow.schedule(caller, { contentId: content.id, tiktokAccountId: account.id });
    const given = await slow.over(caller, created.body.data.id, 15_000);
    expect(given.failure).toMatchObject({ code: 'outcome_unknown' });
    return { ...ready, id: given.id as string };
  }

  const typesOf = (id: string): string[] =>
    slow.service.published.filter(m => m.key === id).map((m: Json) => m.headers.ce_type);

  it('late news of a post that was made ends the schedule as sent', async () => {
    const { caller, id, username } = await giveUp();
    const found = await eventually(async () => {
      const { body } = await slow.call(caller, 'GET', `/v1/schedules/${id}`);
      expect(body.data.status).toBe('sent');
      return body.data;
    }, 20_000);
    expect(found).toMatchObject({ outcome: 'sent_to_drafts', failure: null });
    expect(found.timeline.map((row: Json) => row.what).slice(-3)).toEqual(['failed', 'found', 'sent']);
    await eventually(() =>
      expect(typesOf(id).slice(1)).toEqual(['schedule.failed', 'schedule.sent_to_drafts']),
    );
    expect(await slow.posts(username)).toHaveLength(1);
    const attempts = await slow.service.db.query('select state from attempts where schedule_id = $1', [id]);
    expect(attempts).toEqual([{ state: 'delivered' }]);
  }, 40_000);

  it('late news of a post that was not made gives the reason, and allows a retry by hand', async () => {
    // Withheld until the schedule was given up.
    const status = { operation: 'status_fetch', kind: 'internal_error' };
    await slow.setFaults({ operation: 'publish', kind: 'internal', times: 1 }, status);
    const { caller, id, username } = await giveUp();
    await slow.setFaults();
    const found = await eventually(async () => {
      const { body } = await slow.call(caller, 'GET', `/v1/schedules/${id}`);
      expect(body.data.failure.code).not.toBe('outcome_unknown');
      return body.data;
    }, 20_000);
    expect(found).toMatchObject({
      status: 'failed',
      failure: { platformMessage: 'internal', retryable: true },
    });
    // Not automatically: the owner may have scheduled it again.
    await new Promise(resolve => setTimeout(resolve, 700));
    expect(await slow.control('GET', `init-requests?account=${username}`)).toHaveLength(1);
    expect((await slow.call(caller, 'POST', `/v1/schedules/${id}/retry`)).status).toBe(200);
    await eventually(async () => expect(await slow.posts(username)).toHaveLength(1), 20_000);
  }, 60_000);
});
