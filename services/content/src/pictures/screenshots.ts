import type { Transaction } from '@hookline/shared/postgres';
import { PictureError, RenderBusyError, readPicture } from '@hookline/slides';
import { channels } from '../channels.ts';
import type { ContentDeps } from '../deps.ts';
import { checkSoon } from '../images/queries-files.ts';
import { ImageStoreError } from '../storage/image-store.ts';
import {
  claimScreenshot,
  deleteOtherScreenshots,
  hasScreenshots,
  insertPicture,
  lockCountOfPictures,
  lockPicturedApp,
  postponeWanted,
  removeOtherWanted,
  removeWanted,
  type WantedScreenshot,
  wantScreenshots,
} from './queries.ts';
import { type PicturedApp, picturesMax } from './record.ts';
import { storePicture } from './store.ts';

const screenshotsMax = 6;
/** Fetching, decoding and storing one takes less. */
const retryMs = 60_000;
/** A fault of the machine or the image store does not count as an attempt. */
const postponedMs = 600_000;
const attemptsMax = 3;

/** The addresses of the pictures of a store page, its icon first. */
function pageOf({ iconUrl, screenshots }: PicturedApp['listing']): string[] {
  return iconUrl === null ? screenshots : [iconUrl, ...screenshots];
}

export async function queueScreenshots(tx: Transaction, app: PicturedApp): Promise<void> {
  const { iconUrl, screenshots } = app.listing;
  const urls = pageOf({ iconUrl, screenshots: screenshots.slice(0, screenshotsMax) });
  if (urls.length === 0) return;
  await wantScreenshots(tx, app, urls);
  tx.notifyAfterCommit(channels.screenshots);
}

/**
 * Queues the icon and the screenshots that the store page has now, and deletes those that it no longer has. The
 * old ones stay while none of the new ones is there, and while the page shows none: it may not have been
 * understood.
 */
export async function replaceScreenshots(tx: Transaction, app: PicturedApp, at: Date): Promise<void> {
  await removeOtherWanted(tx, app.id, pageOf(app.listing));
  if (await hasScreenshots(tx, app.id, app.listing.screenshots)) await dropOthers(tx, app, at);
  await queueScreenshots(tx, app);
}

/** The logo stays. */
async function dropOthers(tx: Transaction, { id, listing, brand }: PicturedApp, at: Date): Promise<void> {
  const digests = await deleteOtherScreenshots(tx, id, pageOf(listing), brand?.logoImageId ?? null);
  await checkSoon(tx, digests, at);
}

/**
 * Fetches the screenshot whose turn it is. One that fails three times, or is no picture, is given up.
 * @returns false if none waits
 */
export async function fetchScreenshot(deps: ContentDeps): Promise<boolean> {
  const wanted = await claimScreenshot(deps.db, retryMs);
  if (!wanted) return false;
  const { accountId, appId, sourceUrl } = wanted;
  // Its attempts ended with their process, of which it may be the cause.
  if (wanted.attempts > attemptsMax) {
    await removeWanted(deps.db, wanted);
    return true;
  }
  try {
    const bytes = await deps.stores.readScreenshot(sourceUrl);
    if (!bytes) {
      if (wanted.attempts >= attemptsMax) await removeWanted(deps.db, wanted);
      return true;
    }
    const of = { accountId, appId, kind: 'screenshot', sourceUrl, unreviewed: null } as const;
    const row = await storePicture(deps, of, await readPicture(accountId, bytes));
    await deps.db.transaction(async tx => {
      const app = await lockPicturedApp(tx, accountId, appId);
      if (!app || !(await removeWanted(tx, wanted))) return;
      if (app.listing.screenshots.includes(sourceUrl)) await dropOthers(tx, app, deps.now());
      if (app.listing.iconUrl === sourceUrl) await insertPicture(tx, { ...row, kind: 'icon' });
      else if ((await lockCountOfPictures(tx, appId)) < picturesMax) await insertPicture(tx, row);
    });
  } catch (error) {
    await giveUp(deps, wanted, error);
  }
  return true;
}

async function giveUp(deps: ContentDeps, wanted: WantedScreenshot, error: unknown): Promise<void> {
  if (error instanceof RenderBusyError || error instanceof ImageStoreError) {
    deps.log.info({ err: error, appId: wanted.appId }, 'a screenshot was postponed');
    await postponeWanted(deps.db, wanted, postponedMs);
    return;
  }
  deps.log.info({ err: error, appId: wanted.appId }, 'a screenshot could not be read');
  if (error instanceof PictureError || wanted.attempts >= attemptsMax) await removeWanted(deps.db, wanted);
}
