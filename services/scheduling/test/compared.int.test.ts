/** Decks that differ by their hooks alone and are compared. */
import { experimentStarted } from '@hookline/shared/events';
import { dayMs, hourMs } from '@hookline/shared/kernel/durations';
import { lockWaits } from '@hookline/testing/database';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { describe, expect, it } from 'vitest';
import { inMs, startWorld } from './world.ts';

const world = perSuite(startWorld);

/** Two copies of a deck that are compared, and an account. */
async function compared() {
  const { caller, account } = await world.ready();
  const copy = () => world.content.addDeck(caller.accountId, { experimentId: 'experiment_1' });
  const schedule = (contentId: string, tiktokAccountId = account.id, scheduledFor = inMs(hourMs)) =>
    world.schedule(caller, { contentId, tiktokAccountId, scheduledFor });
  return { caller, account, schedule, one: copy(), other: copy() };
}

describe('a second copy of a compared deck', () => {
  it('409 already_scheduled on an account that has its slides, names the schedule; not on another', async () => {
    const { caller, account, schedule, one, other } = await compared();
    const first = await schedule(one.id);
    const refused = await schedule(other.id, account.id, inMs(30 * dayMs));
    expect([refused.status, refused.body.error.code]).toEqual([409, 'already_scheduled']);
    expect(refused.body.error.message).toContain(first.body.data.id);
    const path = `/v1/content/${other.id}/preflight?tiktokAccountId=${account.id}`;
    const { body } = await world.call(caller, 'GET', path);
    expect(body.data.problems).toMatchObject([
      { code: 'already_scheduled', message: refused.body.error.message },
    ]);
    const elsewhere = await world.connect(caller);
    const there = await schedule(other.id, elsewhere.id);
    expect(there.status, there.text).toBe(201);
    const moved = await world.call(caller, 'PATCH', `/v1/schedules/${there.body.data.id}`, {
      tiktokAccountId: account.id,
    });
    expect([moved.status, moved.body.error?.code]).toEqual([409, 'already_scheduled']);
  });

  it('is refused after one that was sent within 90 days, and taken 90 days later', async () => {
    const { caller, account, schedule, one, other } = await compared();
    const sent = await world.schedule(caller, { contentId: one.id, tiktokAccountId: account.id });
    await world.over(caller, sent.body.data.id);
    expect((await schedule(other.id)).status).toBe(409);
    expect((await schedule(other.id, account.id, inMs(91 * dayMs))).status).toBe(201);
  });

  it('is refused where a waiting one is moved, not where it stays 90 days away', async () => {
    const { caller, schedule, one, other, account } = await compared();
    await schedule(one.id, account.id, inMs(100 * dayMs));
    const { id } = (await schedule(other.id, account.id, inMs(2 * dayMs))).body.data;
    const move = (scheduledFor: string) =>
      world.call(caller, 'PATCH', `/v1/schedules/${id}`, { scheduledFor });
    expect((await move(inMs(9 * dayMs))).status).toBe(200);
    expect((await move(inMs(11 * dayMs))).body.error.code).toBe('already_scheduled');
    expect((await world.call(caller, 'GET', `/v1/schedules/${id}`)).body.data.status).toBe('pending');
  });

  it('is refused by a retry of the first after the second took its place, compared before or since', async () => {
    for (const experimentId of ['experiment_1', undefined]) {
      const { caller, account, schedule, other } = await compared();
      const first = world.content.addDeck(caller.accountId, experimentId ? { experimentId } : {});
      await world.setFaults({ operation: 'content_init', kind: 'spam_risk_too_many_posts', times: 1 });
      await world.schedule(caller, { contentId: first.id, tiktokAccountId: account.id });
      const listed = await world.call(caller, 'GET', `/v1/schedules?contentId=${first.id}`);
      const [{ id, status }] = listed.body.data;
      expect(status).toBe('failed');
      expect((await schedule(other.id)).status).toBe(201);
      if (!experimentId) {
        const decks = [{ ...experimentStarted.example.decks[0]!, contentId: first.id }];
        await world.service.publish(experimentStarted, {
          ...{ subject: 'experiment_1', accountId: caller.accountId },
          data: { ...experimentStarted.example, decks },
        });
        const compared = `select from schedules where id = $1 and is_compared`;
        await eventually(async () => expect(await world.service.db.query(compared, [id])).toHaveLength(1));
      }
      const retried = await world.call(caller, 'POST', `/v1/schedules/${id}/retry`);
      expect([retried.status, retried.body.error?.code]).toEqual([409, 'already_scheduled']);
    }
  });

  it('is refused after one whose outcome is unknown, taken after one that failed', async () => {
    const { caller, schedule, one, other } = await compared();
    const { id } = (await schedule(one.id)).body.data;
    const fail = (code: string) =>
      world.service.db.query(
        `update schedules set status = 'failed', due_at = null, failure = jsonb_build_object('code', $2::text)
         where id = $1 and account_id = $3`,
        [id, code, caller.accountId],
      );
    await fail('outcome_unknown');
    expect((await schedule(other.id)).status).toBe(409);
    await fail('not_approved');
    expect((await schedule(other.id)).status).toBe(201);
  });

  it('is refused however close the two requests are', async () => {
    const { schedule, one, other } = await compared();
    const both = await Promise.all([schedule(one.id), schedule(other.id)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  });

  it('of the same deck is refused, never a deadlock, where one of two requests takes a slot', async () => {
    const { caller, account, schedule, one } = await compared();
    const slots = [{ time: '09:00', days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] }];
    await world.call(caller, 'PATCH', `/v1/accounts/${account.id}`, { slots });
    const { db } = world.service;
    const both = await db.transaction(async tx => {
      await tx.query('select 1 from platform_accounts where id = $1 for no key update', [account.id]);
      const order = { contentId: one.id, tiktokAccountId: account.id, slot: 'next' };
      const inSlot = world.schedule(caller, order);
      await lockWaits(db, 1, '%from platform_accounts%for no key update%');
      const atTime = schedule(one.id);
      await lockWaits(db, 2, '%from platform_accounts%for no key update%');
      return { answers: Promise.all([inSlot, atTime]) };
    });
    const answers = await both.answers;
    expect(answers.map(({ status }) => status)).toEqual([201, 409]);
    expect(answers[1].body.error.code).toBe('already_scheduled');
  });

  it('stays known as one where its schedule is changed while the experiment begins', async () => {
    const { caller, account } = await world.ready();
    const deck = world.content.addDeck(caller.accountId);
    const order = { contentId: deck.id, tiktokAccountId: account.id, scheduledFor: inMs(hourMs) };
    const { id } = (await world.schedule(caller, order)).body.data;
    const gate = Promise.withResolvers<void>();
    world.content.readsAfter = gate.promise;
    const changed = world.call(caller, 'PATCH', `/v1/schedules/${id}`, { title: 'Another' });
    await world.service.db.query('update schedules set is_compared = true where id = $1', [id]);
    world.content.readsAfter = null;
    gate.resolve();
    expect((await changed).status).toBe(200);
    const marked = 'select from schedules where id = $1 and is_compared';
    expect(await world.service.db.query(marked, [id])).toHaveLength(1);
  });

  it('is taken where the slides differ, or no hooks are compared', async () => {
    const { caller, schedule, one } = await compared();
    expect((await schedule(one.id)).status).toBe(201);
    const longer = world.content.addDeck(caller.accountId, { experimentId: 'experiment_1', slides: 4 });
    expect((await schedule(longer.id)).status).toBe(201);
    expect((await schedule(world.content.addDeck(caller.accountId).id)).status).toBe(201);
  });
});
