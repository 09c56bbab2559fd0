/** A worker that is stopped for longer than its lease (G-S5): its actions on waking must have no effect. */

import type { ChildProcess } from 'node:child_process';
import { openTestDatabase } from '@hookline/testing/database';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import type { TestService } from '@hookline/testing/service-harness';
import { endVictims } from '@hookline/testing/victims';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Json, startWorker, startWorld } from './world.ts';

const timings = { leaseMs: 1_500, leaseRenewalMs: 300 };
const holdLock = 4_242;
const answerHeldMs = 2_500;

const world = perSuite(() => startWorld({ role: 'api', timings }));
const superuser = perSuite(() => openTestDatabase(world.service.database.url, 2));
let heir: TestService | undefined;

beforeAll(async () => {
  // Lets a test delay the commit that writes an attempt.
  await superuser.query(
    `create function scheduling.hold_commit() returns trigger language plpgsql as
     $$ begin perform pg_advisory_xact_lock_shared(${holdLock}); return null; end $$`,
  );
  await superuser.query(
    `create constraint trigger hold_commit after insert on scheduling.attempts
     deferrable initially deferred for each row execute function scheduling.hold_commit()`,
  );
});
afterEach(async () => {
  await endVictims();
  await heir?.stop();
  heir = undefined;
});

const inits = (username: string): Promise<Json[]> =>
  world.control('GET', `init-requests?account=${username}`);

async function scheduleSoon() {
  const ready = await world.ready(2);
  const created = await world.schedule(ready.caller, {
    contentId: ready.content.id,
    tiktokAccountId: ready.account.id,
    scheduledFor: new Date(Date.now() + 50).toISOString(),
  });
  expect(created.status).toBe(201);
  return { ...ready, id: created.body.data.id as string };
}

/** Everything about the schedule that a late write would change. */
async function written(id: string): Promise<Json[]> {
  return await world.service.db.query<Json>(
    `select s.status, s.fence, s.tries, s.updated_at, a.id, a.state, a.publish_id, a.fence as attempt_fence,
       (select count(*)::int from schedule_timeline t where t.schedule_id = s.id) as entries
     from schedules s join attempts a on a.schedule_id = s.id where s.id = $1 order by a.started_at`,
    [id],
  );
}

/**
 * Waits until the woken worker has finished its claimed work, by having it send a schedule that is due later.
 */
async function untilItWorksAgain(victim: ChildProcess): Promise<void> {
  await heir?.stop();
  heir = undefined;
  victim.kill('SIGCONT');
  const marker = await scheduleSoon();
  await world.over(marker.caller, marker.id, 30_000);
}

describe('a worker past its lease', () => {
  it('a worker that stood still during its call past its lease changes nothing by its late answer', async () => {
    const victim = await startWorker(world, timings);
    await world.setFaults(
      { operation: 'content_init', kind: 'accepted_then_slow', times: 1, delayMs: answerHeldMs },
      { operation: 'pull', kind: 'late_pull', times: 1, delayMs: 60_000 },
    );
    const { caller, id, username } = await scheduleSoon();
    await eventually(async () => expect(await inits(username)).toHaveLength(1), 15_000);
    victim.kill('SIGSTOP');
    heir = await world.startAnother();
    expect((await world.over(caller, id, 30_000)).status).toBe('sent');
    const before = await written(id);
    expect(before.map(row => row.state)).toEqual(['fenced', 'delivered']);
    // The answer is in the stopped worker's socket buffer when it wakes.
    const [first] = await inits(username);
    const answeredAt = new Date(first.at).getTime() + answerHeldMs + 200;
    await eventually(() => expect(Date.now()).toBeGreaterThan(answeredAt), 10_000);

    await untilItWorksAgain(victim);
    expect(await written(id)).toEqual(before);
    expect(await inits(username)).toHaveLength(2);
    expect(await world.posts(username)).toHaveLength(1);
  }, 90_000);

  it('a worker that stood still before its call, past its lease, makes none', async () => {
    const victim = await startWorker(world, timings);
    await world.setFaults();
    const released = Promise.withResolvers<void>();
    const holding = superuser.transaction(async tx => {
      await tx.query('select pg_advisory_xact_lock($1)', [holdLock]);
      await released.promise;
    });
    const { caller, id, username } = await scheduleSoon();
    await eventually(async () => {
      const waiting = await superuser.query(
        `select 1 from pg_locks where locktype = 'advisory' and objid = $1 and not granted`,
        [holdLock],
      );
      expect(waiting).toHaveLength(1);
    }, 15_000);
    victim.kill('SIGSTOP');
    released.resolve();
    await holding;
    heir = await world.startAnother();
    expect((await world.over(caller, id, 30_000)).status).toBe('sent');
    const before = await written(id);
    expect(before.map(row => row.state)).toEqual(['fenced', 'delivered']);

    await untilItWorksAgain(victim);
    expect(await written(id)).toEqual(before);
    // Only the call of the worker that took over.
    expect(await inits(username)).toHaveLength(1);
    expect(await world.posts(username)).toHaveLength(1);
  }, 90_000);
});
