import { invalidRequest } from '@hookline/shared/contracts';
import type { CreateAppBody } from '@hookline/shared/contracts/apps';
import { readOwnFields } from '@hookline/shared/contracts/own-fields';
import type { Caller } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import type { Transaction } from '@hookline/shared/postgres';
import { describeApp, writeSeedHooks } from '@hookline/writer';
import type { ContentDeps } from '../deps.ts';
import { changeBy } from '../pictures/marks.rules.ts';
import { queueScreenshots } from '../pictures/screenshots.ts';
import type { StoreListing } from '../stores/record.ts';
import { parseStoreUrl } from '../stores/url.rules.ts';
import { toStoreListing } from './given-listing.rules.ts';
import { countApps, insertApp, lockCountOfApps } from './queries.ts';
import { listingAges, readListing } from './read-listing.ts';
import type { AppRow, AppTexts } from './record.ts';
import { unreviewedAfter } from './unreviewed.rules.ts';

// An account has at most this many apps (D-67): reading is free, and the stores count all accounts as one
// client.
const appsMax = 100;

/** Reads an app's store page, or takes the listing from the body, free of credits (API-4, "Apps"). */
export async function readApp(deps: ContentDeps, caller: Caller, body: CreateAppBody): Promise<AppRow> {
  const field = body.listing === undefined ? 'appStoreUrl' : 'listing';
  const reference = body.appStoreUrl === undefined ? null : parseStoreUrl(body.appStoreUrl);
  if (reference && !reference.ok) throw invalidRequest(`appStoreUrl ${reference.reason}`);
  requireRoom(await countApps(deps.db, caller.accountId), field);
  const wayOut = 'give the listing by hand: send listing { name, description } instead of appStoreUrl';
  const now = deps.now();
  const listing = body.listing
    ? toStoreListing(body.listing, now)
    : await readListing(deps, reference!, {
        accountId: caller.accountId,
        ageMaxMs: listingAges.import,
        wayOut,
      });
  const name = body.name ?? listing.name;
  const id = newId('product', now.getTime());
  const row = {
    id,
    accountId: caller.accountId,
    name,
    ...deriveTexts(name, listing),
    brand: null,
    lesson: null,
    iconId: null,
    ...readOwnFields(body),
  };
  // A store page was written by its maker; only what the caller wrote needs a review.
  const found = body.listing ? { name: null, listing: null } : { name: listing.name, listing };
  return {
    ...row,
    unreviewed: unreviewedAfter({ ...found, brand: null, unreviewed: [] }, row, changeBy(caller, now)),
    createdAt: now,
    updatedAt: now,
  };
}

export function deriveTexts(name: string, listing: StoreListing): AppTexts {
  const source = { ...listing, name };
  return {
    details: describeApp(source, listing.developer),
    seedHooks: writeSeedHooks(source),
    listing,
  };
}

export async function importApp(tx: Transaction, app: AppRow): Promise<AppRow> {
  requireRoom(
    await lockCountOfApps(tx, app.accountId),
    app.listing.store === null ? 'listing' : 'appStoreUrl',
  );
  await insertApp(tx, app);
  await queueScreenshots(tx, app);
  return app;
}

function requireRoom(count: number, field: 'appStoreUrl' | 'listing'): void {
  if (count < appsMax) return;
  throw invalidRequest(`${field} cannot be imported: an account has at most ${appsMax} apps`);
}
