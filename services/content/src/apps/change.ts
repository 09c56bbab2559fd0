import { invalidRequest, notFound } from '@hookline/shared/contracts';
import type { BrandBody, UpdateAppBody } from '@hookline/shared/contracts/apps';
import { readOwnFields } from '@hookline/shared/contracts/own-fields';
import type { Caller } from '@hookline/shared/http';
import type { Transaction } from '@hookline/shared/postgres';
import { contrastOf } from '@hookline/slides';
import type { ContentDeps } from '../deps.ts';
import { checkSoon } from '../images/queries-files.ts';
import { changeBy } from '../pictures/marks.rules.ts';
import { deletePicture, deletePictures, findPictures } from '../pictures/queries.ts';
import { countWaitingSchedules, lockApp, markAppDeleted, updateApp } from './queries.ts';
import type { AppRow, Brand } from './record.ts';
import { unreviewedAfter } from './unreviewed.rules.ts';

type AppRequest = { caller: Caller; params: { id: string } };

export async function changeApp(
  { db, now }: Pick<ContentDeps, 'db' | 'now'>,
  { caller, params: { id }, body: { name, brand, ...own } }: AppRequest & { body: UpdateAppBody },
): Promise<AppRow> {
  if (brand?.colors) await requireReadable(brand.colors as [string, string]);
  return await db.transaction(async tx => {
    const app = await lockApp(tx, caller.accountId, id);
    if (!app) throw notFound('app');
    if (brand?.logoImageId && (await findPictures(tx, id, [brand.logoImageId])).length === 0) {
      throw invalidRequest('brand.logoImageId must be the id of a picture of the app');
    }
    const changed = {
      ...app,
      name: name ?? app.name,
      brand: brand === undefined ? app.brand : mergeBrand(app.brand, brand),
      ...readOwnFields(own, app),
      updatedAt: now(),
    };
    return await saveChange(tx, caller, app, changed);
  });
}

function saveChange(tx: Transaction, caller: Caller, app: AppRow, changed: AppRow): Promise<AppRow> {
  const unreviewed = unreviewedAfter(app, changed, changeBy(caller, changed.updatedAt));
  return updateApp(tx, { ...changed, unreviewed });
}

/** Deletes a picture, also as the logo; the reaper deletes its file an hour later. */
export async function removePicture(
  { db, now }: Pick<ContentDeps, 'db' | 'now'>,
  { caller, params: { id, pictureId } }: { caller: Caller; params: { id: string; pictureId: string } },
): Promise<void> {
  await db.transaction(async tx => {
    const app = await lockApp(tx, caller.accountId, id);
    if (!app) throw notFound('app');
    const digest = await deletePicture(tx, id, pictureId);
    if (!digest) throw notFound('picture');
    const updatedAt = now();
    await checkSoon(tx, [digest], updatedAt);
    if (app.brand?.logoImageId !== pictureId) return;
    await saveChange(tx, caller, app, { ...app, updatedAt, brand: { ...app.brand, logoImageId: null } });
  });
}

/** Deletes an app with its pictures. Its contents stay: they were paid for and may be on a platform. */
export async function deleteApp(
  { db, now }: Pick<ContentDeps, 'db' | 'now'>,
  { caller, params: { id } }: AppRequest,
): Promise<void> {
  await db.transaction(async tx => {
    if (!(await lockApp(tx, caller.accountId, id))) throw notFound('app');
    const waiting = await countWaitingSchedules(tx, id);
    if (waiting > 0) {
      const subject = waiting === 1 ? 'schedule of this app waits' : 'schedules of this app wait';
      throw invalidRequest(`${waiting} ${subject}; delete or await them first.`, { status: 409 });
    }
    await checkSoon(tx, await deletePictures(tx, id), now());
    await markAppDeleted(tx, id, now());
  });
}

const unsetBrand: Brand = {
  colors: null,
  logoImageId: null,
  handle: null,
  fonts: null,
  voice: null,
  avoidWords: null,
};

/** Fields that are absent keep their value; null clears one, or the whole brand. */
function mergeBrand(before: Brand | null, changes: BrandBody | null): Brand | null {
  if (changes === null) return null;
  const merged = { ...unsetBrand, ...before, ...changes } as Brand;
  const colors = merged.colors?.map(color => color.toLowerCase()) as Brand['colors'] | undefined;
  return { ...merged, colors: colors ?? null };
}

/** WCAG requires this contrast for text. */
const contrastMin = 4.5;

async function requireReadable([background, accent]: [string, string]): Promise<void> {
  const contrast = await contrastOf(background, accent);
  if (contrast >= contrastMin) return;
  // Rounding down prevents that 4.499 is called 4.5.
  const measured = Math.floor(contrast * 10) / 10;
  throw invalidRequest(
    `brand.colors must have a contrast of at least ${contrastMin}:1 between background and accent; their contrast is ${measured.toFixed(1)}:1`,
  );
}
