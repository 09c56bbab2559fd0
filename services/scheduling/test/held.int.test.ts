/** Schedules whose content was approved only after their time. */
import { setTimeout as delay } from 'node:timers/promises';
import { contentApproved } from '@hookline/shared/events';
import type { Caller } from '@hookline/shared/http';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { afterEach, expect, it } from 'vitest';
import { setWorkspacePause } from '../src/pauses/pause.ts';
import { inMs, type Json, startWorld } from './world.ts';

const lateMaxMs = 1_500;
const timings = { tryPauseMaxMs: 50, lateMaxMs, resendPausesMs: [1_000] };
const world = perSuite(() => startWorld({ timings }));
afterEach(() => world.setFaults());

async function held() {
  const { caller, content, account } = await world.ready();
  const body = { contentId: content.id, tiktokAccountId: account.id, scheduledFor: inMs(300) };
  const { id } = (await world.schedule(caller, body)).body.data;
  content.approvalStatus = 'pending';
  const path = `/v1/schedules/${id}`;
  const read = async () => (await world.call(caller, 'GET', path)).body.data;
  const whats = async (): Promise<string[]> => (await read()).timeline.map((line: Json) => line.what);
  await eventually(async () => expect(await whats()).toContain('held'));
  const approve = async () => {
    content.approvalStatus = 'approved';
    await world.service.publish(contentApproved, {
      subject: content.id,
      accountId: caller.accountId,
      data: { ...contentApproved.example, content, origin: null },
    });
  };
  return { caller, content, id, path, read, whats, approve };
}

const pause = (caller: Caller, isPaused: boolean) =>
  setWorkspacePause({ db: world.service.db, now: () => new Date() }, caller.accountId, isPaused);

it.each([
  ['an invalid token', { operation: 'content_init', kind: 'access_token_invalid' }],
  ['a lost answer', { operation: 'content_init', kind: 'internal_error' }],
])('a post that was approved later than others may go out survives %s', async (_, fault) => {
  const { caller, id, approve } = await held();
  await delay(lateMaxMs + 500);
  await world.setFaults({ ...fault, times: 1 });
  await approve();
  expect(await world.over(caller, id)).toMatchObject({ status: 'sent', failure: null, waitsBecause: null });
});

it('a post that was approved late and changed while its workspace sent nothing is sent', async () => {
  const { caller, id, path, approve } = await held();
  await pause(caller, true);
  await delay(lateMaxMs + 500);
  await approve();
  expect((await world.call(caller, 'PATCH', path, { title: 'Another title' })).status).toBe(200);
  await pause(caller, false);
  expect(await world.over(caller, id)).toMatchObject({ status: 'sent', title: 'Another title' });
});

it('a post that was approved while its workspace sent nothing is due once it sends, wherever claims moved it', async () => {
  const { caller, id, approve } = await held();
  await pause(caller, true);
  await approve();
  await world.service.db.query(`update schedules set due_at = now() + interval '1 hour' where id = $1`, [id]);
  await pause(caller, false);
  expect((await world.over(caller, id)).status).toBe('sent');
});

it('a post that waits for its approval says so in its last line, however often a sender asks', async () => {
  const { id, read, whats } = await held();
  const ask = (sql: string) => world.service.db.query<Json>(sql, [id]);
  for (let asked = 0; asked < 2; asked += 1) {
    const [before] = await ask('update schedules set due_at = now() where id = $1 returning fence');
    await eventually(async () => {
      const [now] = await ask('select fence, status from schedules where id = $1');
      expect(now).toEqual({ fence: before.fence + 1, status: 'pending' });
    });
  }
  expect(await whats()).toEqual(['created', 'sending', 'held']);
  expect((await read()).waitsBecause).toBe('approval');
});

it('a post that is sent again after a hold waits for its approval only after another edit', async () => {
  const { content, read, whats, approve } = await held();
  await delay(lateMaxMs + 500);
  await world.setFaults({ operation: 'publish', kind: 'photo_pull_failed', times: 1 });
  await approve();
  await eventually(async () => expect(await whats()).toContain('requeued'));
  expect(await read()).toMatchObject({ status: 'pending', waitsBecause: null });
  content.approvalStatus = 'pending';
  await eventually(async () => expect((await whats()).at(-1)).toBe('held'));
  expect((await read()).waitsBecause).toBe('approval');
});

it('a post that was approved late says that it waits for its turn, not for its approval', async () => {
  const { id, read, approve } = await held();
  await world.service.db.query(
    `update creators set next_init_at = now() + interval '40 s' where open_id =
       (select open_id from platform_accounts p join schedules s on s.platform_account_id = p.id where s.id = $1)`,
    [id],
  );
  await approve();
  await eventually(async () => expect((await read()).timeline.at(-1).what).toBe('paced'));
  expect(await read()).toMatchObject({ status: 'pending', waitsBecause: null });
});
