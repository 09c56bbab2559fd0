/**
 * Topics are replayed after a restore: an automation's request from before it may already have been posted.
 */
import { automationScheduleRequested } from '@hookline/shared/events';
import { newId } from '@hookline/shared/kernel';
import { eventually } from '@hookline/testing/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertRestore } from '../src/queries/restores.ts';
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
