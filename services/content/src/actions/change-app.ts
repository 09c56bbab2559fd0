import { invalidRequest, notFound } from '@hookline/shared/contracts';
import type { UpdateAppBody } from '@hookline/shared/contracts/apps';
import type { Caller } from '@hookline/shared/http';
import type { ContentDeps } from '../deps.ts';
import { lockApp, markAppDeleted, updateApp } from '../queries/apps.ts';
import { countWaitingSchedules } from '../queries/known-schedules.ts';
import { deletePictures } from '../queries/pictures.ts';
import { lookSoon } from '../queries/slide-files.ts';
import type { AppRow } from '../records/app.ts';

/** Changes the fields that are given. @throws ApiError `not_found` */
export function changeApp(
  { db, now }: Pick<ContentDeps, 'db' | 'now'>,
  caller: Caller,
  id: string,
  { name }: UpdateAppBody,
): Promise<AppRow> {
  return db.transaction(async tx => {
    const app = await lockApp(tx, caller.accountId, id);
    if (!app) throw notFound('app');
    const changed = { ...app, name: name ?? app.name, updatedAt: now() };
    await updateApp(tx, changed);
    return changed;
  });
}

/**
 * Deletes an app with its pictures. Its contents stay readable, because they were paid for and may be on a platform.
 * @throws ApiError `not_found`; `invalid_request` (409) while a schedule of one of its contents waits
 */
export async function deleteApp(
  { db, now }: Pick<ContentDeps, 'db' | 'now'>,
  caller: Caller,
  id: string,
): Promise<void> {
  await db.transaction(async tx => {
    if (!(await lockApp(tx, caller.accountId, id))) throw notFound('app');
    const waiting = await countWaitingSchedules(tx, id);
    if (waiting > 0) {
      const what = waiting === 1 ? 'schedule of this app waits' : 'schedules of this app wait';
      throw invalidRequest(`${waiting} ${what}; delete or await them first.`, { status: 409 });
    }
    await lookSoon(tx, await deletePictures(tx, id), now());
    await markAppDeleted(tx, id, now());
  });
}
