import { invalidRequest, notFound } from '@hookline/shared/contracts';
import type { Caller } from '@hookline/shared/http';
import type { Transaction } from '@hookline/shared/postgres';
import type { ContentDeps } from '../deps.ts';
import { replaceScreenshots } from '../pictures/screenshots.ts';
import { deriveTexts } from './import.ts';
import { findApp, updateAppTexts } from './queries.ts';
import { listingAges, readListing } from './read-listing.ts';
import type { AppRow, AppTexts } from './record.ts';

export async function readAppAgain(deps: ContentDeps, caller: Caller, id: string): Promise<AppTexts> {
  const app = await findApp(deps.db, caller.accountId, id);
  if (!app) throw notFound('app');
  const { store, storeId, country, addressLanguage = null } = app.listing;
  if (store === null || country === null) {
    const message = 'The listing of this app was given by hand, so there is no store page to read again.';
    throw invalidRequest(message, { status: 409 });
  }
  const reference = { store, storeId, country, language: addressLanguage };
  const wayOut = 'keep the listing that was read before: nothing was changed';
  const listing = await readListing(deps, reference, {
    accountId: caller.accountId,
    ageMaxMs: listingAges.refresh,
    wayOut,
  });
  return deriveTexts(app.name, listing);
}

export async function refreshApp(
  tx: Transaction,
  update: { accountId: string; id: string; texts: AppTexts; at: Date },
): Promise<AppRow> {
  const row = await updateAppTexts(tx, update);
  if (!row) throw notFound('app');
  await replaceScreenshots(tx, row, update.at);
  return row;
}
