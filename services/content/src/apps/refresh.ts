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
  const listing = await readListing(deps, caller.accountId, reference, listingAges.refresh, wayOut);
  return deriveTexts(app.name, listing);
}

export async function refreshApp(
  deps: Pick<ContentDeps, 'now'>,
  tx: Transaction,
  caller: Caller,
  id: string,
  texts: AppTexts,
): Promise<AppRow> {
  const row = await updateAppTexts(tx, caller.accountId, id, texts, deps.now());
  if (!row) throw notFound('app');
  await replaceScreenshots(tx, row, deps.now());
  return row;
}
