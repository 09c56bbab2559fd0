import { readAppStore } from './app-store.ts';
import { readGooglePlay } from './google-play.ts';
import type { ListingReading } from './listing.ts';
import type { StoreListingRef } from './store-url.ts';

export type StoreBaseUrls = { appStoreUrl: string; googlePlayUrl: string };

// With an icon's 4 s after it an import ends before the gateway gives the service up, which it does after 15 s.
const readingMs = 10_000;

/** Reads a listing from the store it is in: 10 s in all, with two requests for the App Store. Never throws. */
export function readListing(baseUrls: StoreBaseUrls, ref: StoreListingRef): Promise<ListingReading> {
  const signal = AbortSignal.timeout(readingMs);
  return ref.store === 'apple'
    ? readAppStore(baseUrls.appStoreUrl, ref, signal)
    : readGooglePlay(baseUrls.googlePlayUrl, ref, signal);
}
