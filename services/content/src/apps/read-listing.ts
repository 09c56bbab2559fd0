import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import { dayMs, hourMs } from '@hookline/shared/kernel/durations';
import type { ContentDeps } from '../deps.ts';
import type { ListingReading } from '../stores/clean.ts';
import type { StoreListing } from '../stores/record.ts';
import type { StoreAddress } from '../stores/stores.ts';
import { otherStorefront, type StoreListingRef } from '../stores/url.rules.ts';
import {
  findListing,
  keepListing,
  type ListingKey,
  type StorePace,
  takeStoreTurn,
} from './queries-listings.ts';

/** Together with the icon's 4 s, an import ends before the gateway's timeout of 15 s. */
const readingMs = 10_000;
/** Of all turns of an import together. */
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
export const listingAges = { import: 6 * hourMs, refresh: 60_000 };

/** For so long an app that the store does not have is not looked up again. */
const notFoundMs = 60_000;

/** Pages are kept for a day. */
export const listingKeptMs = dayMs;

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
  const asked: Asked = { accountId, ageMaxMs, wayOut, signal, turnsEndMs: performance.now() + turnMaxMs };
  let last: ListingReading | null = null;
  for (const address of deps.stores.addresses[ref.store]) {
    last = await readAt(deps, asked, ref, address);
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

type Asked = { accountId: string; ageMaxMs: number; wayOut: string; signal: AbortSignal; turnsEndMs: number };

async function readAt(
  deps: Deps,
  asked: Asked,
  ref: StoreListingRef,
  address: StoreAddress,
): Promise<ListingReading> {
  const read = (of: StoreListingRef) =>
    address.isShared ? readShared(deps, asked, of, address) : readFresh(deps, of, address, asked.signal);
  const reading = await read(ref);
  const other = otherStorefront(ref);
  if (reading.ok || reading.error !== 'not_found' || !other) return reading;
  const elsewhere = await read(other);
  if (elsewhere.ok && address.isShared) {
    const { listing } = elsewhere;
    await keepListing(deps.db, keyOf(ref), listing, new Date(listing.fetchedAt));
  }
  return elsewhere;
}

function keyOf({ store, storeId, country, language }: StoreListingRef): ListingKey {
  return { store, storeId, country, language: language ?? '' };
}

/** One turn for one request. */
async function readShared(
  deps: Deps,
  asked: Asked,
  ref: StoreListingRef,
  address: StoreAddress,
): Promise<ListingReading> {
  const ago = (ms: number) => new Date(deps.now().getTime() - ms);
  const known = await findListing(deps.db, keyOf(ref), ago(asked.ageMaxMs), ago(notFoundMs));
  if (known === 'not_found') return { ok: false, error: 'not_found', detail: 'within the last minute' };
  if (known) return { ok: true, listing: known };
  await awaitTurn(deps, asked, ref.store);
  const reading = await readFresh(deps, ref, address, asked.signal);
  if (reading.ok) await keepListing(deps.db, keyOf(ref), reading.listing, deps.now());
  else if (reading.error === 'not_found') await keepListing(deps.db, keyOf(ref), null, deps.now());
  return reading;
}

/** @throws ApiError `store_unavailable` when no turn comes in time */
async function awaitTurn(
  { db }: Deps,
  { accountId, wayOut, turnsEndMs }: Asked,
  store: StoreListingRef['store'],
): Promise<void> {
  for (;;) {
    const turn = await takeStoreTurn(db, store, accountId, paces[store], waitingMs);
    if (turn.isTaken) return;
    if (performance.now() + turn.waitMs > turnsEndMs) {
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
