import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import type { ListingReading } from '../adapters/listing.ts';
import type { StoreAddress } from '../adapters/stores.ts';
import type { ContentDeps } from '../deps.ts';
import {
  findListing,
  keepListing,
  type ListingKey,
  type StorePace,
  takeStoreTurn,
} from '../queries/store-listings.ts';
import type { StoreListing } from '../records/app.ts';
import type { StoreListingRef } from '../rules/store-url.ts';

/** Together with the icon's 4 s, an import ends before the gateway's timeout of 15 s. */
const readingMs = 10_000;
const turnMaxMs = 5_000;

/** Pause between two tries, and how long others leave a waiting account the next turn. */
const tryMs = { least: 50, most: 500 };
const waitingMs = 2_000;

/**
 * Reads of each real store by all accounts together. Apple answers about 20 lookups a minute: 15 and a burst
 * of 5 stay below it in every minute. Google publishes no limit.
 */
const paces: Record<StoreListingRef['store'], StorePace> = {
  apple: { everyMs: 4_000, burst: 5 },
  google: { everyMs: 2_000, burst: 5 },
};

/** Age up to which a page is not read again. */
export const listingAges = { import: 6 * 3_600_000, refresh: 60_000 };

/** Pages are kept for a day. */
export const listingKeptMs = 24 * 3_600_000;

type Deps = Pick<ContentDeps, 'db' | 'log' | 'now' | 'stores'>;

/**
 * Reads a listing with the colour of its icon. Pages of a real store are shared by all accounts and read at
 * the store's pace, accounts by turns.
 * @param wayOut what a caller can do while the store cannot be read, as the end of a sentence
 * @throws ApiError `invalid_request` when the store has no such app; `store_unavailable`
 */
export async function readListing(
  deps: Deps,
  accountId: string,
  ref: StoreListingRef,
  ageMaxMs: number,
  wayOut: string,
): Promise<StoreListing> {
  const signal = AbortSignal.timeout(readingMs);
  let last: ListingReading | null = null;
  for (const address of deps.stores.addresses[ref.store]) {
    last = address.isShared
      ? await readShared(deps, accountId, ref, address, ageMaxMs, wayOut, signal)
      : await readFresh(deps, ref, address, signal);
    if (last.ok) return last.listing;
    deps.log.info(
      { store: ref.store, error: last.error, detail: last.detail },
      'a listing could not be read',
    );
    if (last.error !== 'not_found') break;
  }
  if (last && !last.ok && last.error === 'not_found') {
    throw invalidRequest('appStoreUrl must be the address of an app that is in the store; this one is not');
  }
  throw new ApiError(
    'store_unavailable',
    `The app store could not be read; try again in a minute, or ${wayOut}.`,
  );
}

async function readShared(
  deps: Deps,
  accountId: string,
  ref: StoreListingRef,
  address: StoreAddress,
  ageMaxMs: number,
  wayOut: string,
  signal: AbortSignal,
): Promise<ListingReading> {
  const key: ListingKey = { ...ref, language: ref.language ?? '' };
  const known = await findListing(deps.db, key, new Date(deps.now().getTime() - ageMaxMs));
  if (known) return { ok: true, listing: known };
  await awaitTurn(deps, accountId, ref.store, wayOut);
  const reading = await readFresh(deps, ref, address, signal);
  if (reading.ok) await keepListing(deps.db, key, reading.listing, deps.now());
  return reading;
}

/** @throws ApiError `store_unavailable` when no turn comes within 5 s */
async function awaitTurn(
  { db }: Deps,
  accountId: string,
  store: StoreListingRef['store'],
  wayOut: string,
): Promise<void> {
  const endMs = performance.now() + turnMaxMs;
  for (;;) {
    const turn = await takeStoreTurn(db, store, accountId, paces[store], waitingMs);
    if (turn.isTaken) return;
    if (performance.now() + turn.waitMs > endMs) {
      const retryAfterSeconds = Math.max(1, Math.ceil(turn.waitMs / 1000));
      const message = `The app store answers only so many reads a minute, and all of them are taken; try again in ${retryAfterSeconds} s, or ${wayOut}.`;
      throw new ApiError('store_unavailable', message, { retryAfterSeconds });
    }
    await sleep(Math.min(tryMs.most, Math.max(tryMs.least, turn.waitMs)));
  }
}

async function readFresh(
  { stores }: Deps,
  ref: StoreListingRef,
  { url }: StoreAddress,
  signal: AbortSignal,
): Promise<ListingReading> {
  const reading = await stores.readListing(ref, url, signal);
  if (!reading.ok) return reading;
  const iconHue = await stores.readIconHue(reading.listing.iconUrl);
  return { ok: true, listing: { ...reading.listing, iconHue } };
}
