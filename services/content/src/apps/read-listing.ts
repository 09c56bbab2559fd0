import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import { dayMs, hourMs } from '@hookline/shared/kernel/durations';
import type { ContentDeps } from '../deps.ts';
import type { ListingReading } from '../stores/clean.ts';
import type { StoreListing } from '../stores/record.ts';
import type { StoreAddress } from '../stores/stores.ts';
import { fallbackStorefront, type StoreListingRef } from '../stores/url.rules.ts';
import {
  findListing,
  keepListing,
  type ListingKey,
  type StorePace,
  takeStoreTurn,
} from './queries-listings.ts';

/** An import ends before the gateway's timeout of 15 s, with up to 4 s for the icon. */
const readingMs = 10_000;
/** An import spends at most this long waiting for turns. */
const turnMaxMs = 5_000;

/** A waiting account tries at these intervals, and others leave it the next turn for `waitingMs`. */
const tryMs = { least: 50, most: 500 };
const waitingMs = 2_000;

/**
 * All accounts together read a store at this pace. Apple answers about 20 lookups a minute: 15 and a burst of
 * 5 stay below that. Google publishes no limit.
 */
const paces: Record<StoreListingRef['store'], StorePace> = {
  apple: { everyMs: 4_000, burst: 5 },
  google: { everyMs: 2_000, burst: 5 },
};

/** A page up to this age is not read again. */
export const listingAges = { import: 6 * hourMs, refresh: 60_000 };

/** An app that the store does not have is not looked up again for this long. */
const notFoundMs = 60_000;

export const listingKeptMs = dayMs;

type Deps = Pick<ContentDeps, 'db' | 'log' | 'now' | 'stores'>;

/**
 * Reads a listing with the colour of its icon. Pages of a real store are shared by all accounts and read at
 * its pace.
 * @param wayOut what a caller can do while the store cannot be read, as the end of a sentence
 */
export async function readListing(
  deps: Deps,
  ref: StoreListingRef,
  read: { accountId: string; ageMaxMs: number; wayOut: string },
): Promise<StoreListing> {
  const { db, log, now, stores } = deps;
  const limits = { signal: AbortSignal.timeout(readingMs), turnsEndMs: performance.now() + turnMaxMs };
  const ctx: Context = { db, log, now, stores, ...read, ...limits };
  let last: ListingReading | null = null;
  for (const address of deps.stores.addresses[ref.store]) {
    last = await readAt(ctx, ref, address);
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
    `The app store could not be read; try again in a minute, or ${read.wayOut}.`,
  );
}

type Context = Deps & {
  accountId: string;
  ageMaxMs: number;
  wayOut: string;
  signal: AbortSignal;
  turnsEndMs: number;
};

async function readAt(ctx: Context, ref: StoreListingRef, address: StoreAddress): Promise<ListingReading> {
  const read = (of: StoreListingRef) =>
    address.isShared ? readShared(ctx, of, address) : readFresh(ctx, of, address);
  const reading = await read(ref);
  const fallback = fallbackStorefront(ref);
  if (reading.ok || reading.error !== 'not_found' || !fallback) return reading;
  const elsewhere = await read(fallback);
  if (elsewhere.ok && address.isShared) {
    const { listing } = elsewhere;
    await keepListing(ctx.db, keyOf(ref), listing, new Date(listing.fetchedAt));
  }
  return elsewhere;
}

function keyOf({ store, storeId, country, language }: StoreListingRef): ListingKey {
  return { store, storeId, country, language: language ?? '' };
}

async function readShared(
  ctx: Context,
  ref: StoreListingRef,
  address: StoreAddress,
): Promise<ListingReading> {
  const ago = (ms: number) => new Date(ctx.now().getTime() - ms);
  const since = { readSince: ago(ctx.ageMaxMs), notFoundSince: ago(notFoundMs) };
  const stored = await findListing(ctx.db, keyOf(ref), since);
  if (stored === 'not_found') return { ok: false, error: 'not_found', detail: 'within the last minute' };
  if (stored) return { ok: true, listing: stored };
  await awaitTurn(ctx, ref.store);
  const reading = await readFresh(ctx, ref, address);
  if (reading.ok) await keepListing(ctx.db, keyOf(ref), reading.listing, ctx.now());
  else if (reading.error === 'not_found') await keepListing(ctx.db, keyOf(ref), null, ctx.now());
  return reading;
}

async function awaitTurn(
  { db, accountId, wayOut, turnsEndMs }: Context,
  store: StoreListingRef['store'],
): Promise<void> {
  for (;;) {
    const turn = await takeStoreTurn(db, { store, accountId, waitingMs }, paces[store]);
    if (turn.granted) return;
    if (performance.now() + turn.waitMs > turnsEndMs) {
      const retryAfterSeconds = Math.max(1, Math.ceil(turn.waitMs / 1000));
      const message = `The app store answers only so many reads a minute, and all of them are taken; try again in ${retryAfterSeconds} s, or ${wayOut}.`;
      throw new ApiError('store_unavailable', message, { retryAfterSeconds });
    }
    await sleep(Math.min(tryMs.most, Math.max(tryMs.least, turn.waitMs)));
  }
}

async function readFresh(
  { stores, signal }: Context,
  ref: StoreListingRef,
  { url }: StoreAddress,
): Promise<ListingReading> {
  const reading = await stores.readListing(ref, url, signal);
  if (!reading.ok) return reading;
  const iconHue = await stores.readIconHue(reading.listing.iconUrl);
  return { ok: true, listing: { ...reading.listing, iconHue } };
}
