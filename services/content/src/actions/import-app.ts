import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import type { CreateAppBody } from '@hookline/shared/contracts/apps';
import type { Caller } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import type { Transaction } from '@hookline/shared/postgres';
import { describeApp, writeSeedHooks } from '@hookline/writer';
import type { ContentDeps } from '../deps.ts';
import { countApps, insertApp, lockCountOfApps } from '../queries/apps.ts';
import type { AppRow } from '../records/app.ts';
import { parseStoreUrl } from '../rules/store-url.ts';

// Of one account (D-67): reading a listing is free, and the stores count all accounts as one client.
const appsMax = 100;

/**
 * Reads an app's store page, free of credits (API-4, "Apps"). @returns the row to import.
 * @throws ApiError `invalid_request` naming `appStoreUrl` for an address that is not a listing or a listing that does
 * not exist, and when the account has as many apps as it may; `store_unavailable` when the store cannot be read.
 */
export async function readApp(deps: ContentDeps, caller: Caller, body: CreateAppBody): Promise<AppRow> {
  const reference = parseStoreUrl(body.appStoreUrl);
  if (!reference.ok) throw invalidRequest(`appStoreUrl ${reference.reason}`);
  requireRoom(await countApps(deps.db, caller.accountId));
  const reading = await deps.stores.readListing(reference);
  if (!reading.ok) {
    deps.log.info(
      { store: reference.store, error: reading.error, detail: reading.detail },
      'a listing could not be read',
    );
    if (reading.error === 'not_found') {
      throw invalidRequest('appStoreUrl must be the address of an app that is in the store; this one is not');
    }
    throw new ApiError('store_unavailable', 'The app store could not be read; try again in a minute.');
  }
  const iconHue = await deps.stores.readIconHue(reading.listing.iconUrl);
  const listing = { ...reading.listing, iconHue };
  const source = { ...listing, name: body.name };
  const now = deps.now();
  return {
    id: newId('product', now.getTime()),
    accountId: caller.accountId,
    name: body.name,
    details: describeApp(source, listing.developer),
    seedHooks: writeSeedHooks(source, `${listing.store}:${listing.storeId}`),
    listing,
    createdAt: now,
    updatedAt: now,
  };
}

/** Writes an app that was read. @throws ApiError `invalid_request` when the account has as many as it may. */
export async function importApp(tx: Transaction, app: AppRow): Promise<AppRow> {
  requireRoom(await lockCountOfApps(tx, app.accountId));
  await insertApp(tx, app);
  return app;
}

function requireRoom(count: number): void {
  if (count < appsMax) return;
  throw invalidRequest(`appStoreUrl cannot be imported: an account has at most ${appsMax} apps`);
}
