/**
 * A database that went back: what may have been posted since is closed, also where a pause came back with the
 * data, and a replayed request of an automation from before it is refused.
 */
import { automationScheduleRequested } from '@hookline/shared/events';
import { newId } from '@hookline/shared/kernel';
import type { Transaction } from '@hookline/shared/postgres';
import { eventually } from '@hookline/testing/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeAfterRestore } from '../src/actions/close-after-restore.ts';
import { insertRestore } from '../src/queries/restores.ts';
import { openPause } from '../src/queries/sending-pauses.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

it('refuses a request from before the restore, and takes one from after it', async () => {
  const { caller, content, account, username } = await world.ready();
  const { service } = world;
  const restoredAt = new Date();
  await service.db.transaction(tx =>
    insertRestore(tx, new Date(restoredAt.getTime() - 3_600_000), restoredAt),
  );
  const ask = async (at: number): Promise<string> => {
    const automationId = newId('automation');
    const firingId = newId('firing');
    content.origin = { automationId, firingId };
    const data = {
      automationId,
      firingId,
      contentId: content.id,
      tiktokAccountId: account.id,
      scheduledFor: new Date(at).toISOString(),
      mode: 'draft',
      privacyLevel: null,
    };
    await service.publish(automationScheduleRequested, {
      subject: automationId,
      accountId: caller.accountId,
      data,
    });
    return firingId;
  };
  const answerTo = (firingId: string, type: string) =>
    eventually(() => {
      const found = service.published.find(
        ({ headers, value }) => headers.ce_type === type && value.includes(firingId),
      );
      if (!found) throw new Error(`no ${type}`);
      return JSON.parse(found.value);
    });
  const old = await ask(restoredAt.getTime() - 1_000);
  expect(await answerTo(old, 'schedule.rejected')).toMatchObject({ code: 'outcome_unknown' });
  expect(await world.posts(username)).toEqual([]);
  await answerTo(await ask(Date.now() + 200), 'schedule.sent_to_drafts');
  expect(await world.posts(username)).toHaveLength(1);
}, 20_000);

describe('a schedule that became due in an open pause', () => {
  const hour = 3_600_000;
  const now = new Date();
  const ago = (hours: number) => new Date(now.getTime() - hours * hour);
  const undone = new Error('undone');
  let id = '';
  beforeAll(async () => {
    const { caller, content, account } = await world.ready();
    const contentId = content.id;
    const scheduledFor = new Date(Date.now() + hour).toISOString();
    const { body } = await world.schedule(caller, { contentId, tiktokAccountId: account.id, scheduledFor });
    id = body.data.id;
  });
  const paused = (tx: Transaction, hours: number) => openPause(tx, { reason: null }, ago(hours));
  const detected = (tx: Transaction, hours: number) =>
    openPause(tx, { reason: null, cause: 'went_back' }, ago(hours));

  // The schedule became due 1 hour ago.
  it.each<[string, number, number, (tx: Transaction) => Promise<unknown>]>([
    ['is closed if the pause is from before the backup', 3, 1, tx => paused(tx, 4)],
    ['keeps waiting if the pause began after the backup', 3, 0, tx => paused(tx, 2)],
    [
      'is closed if the pause was open before the database was found to have gone back',
      3,
      1,
      async tx => {
        await paused(tx, 4);
        await detected(tx, 0.5);
      },
    ],
    [
      'is closed then, whatever instant the data are said to be from',
      5,
      1,
      async tx => {
        await paused(tx, 4);
        await detected(tx, 0.5);
      },
    ],
    [
      'keeps waiting if the database was found to have gone back before it was due',
      3,
      0,
      tx => detected(tx, 2),
    ],
  ])('%s', async (_, backupHours, overdue, begin) => {
    const closed = world.service.db.transaction(async tx => {
      await begin(tx);
      await tx.query('update schedules set scheduled_for = $2, due_at = $2 where id = $1', [id, ago(1)]);
      expect(await closeAfterRestore(tx, { backupAt: ago(backupHours), now })).toEqual({
        sending: 0,
        overdue,
      });
      throw undone;
    });
    await expect(closed).rejects.toBe(undone);
  });
});
