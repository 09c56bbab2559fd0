import { readAppStore } from './app-store.ts';
import { readGooglePlay } from './google-play.ts';
import type { ListingReading } from './listing.ts';
import type { StoreListingRef } from './store-url.ts';

export type StoreBaseUrls = { appStoreUrl: string; googlePlayUrl: string };

/** Reads a listing from the store it is in: at most 10 s a request, two requests for the App Store. Never throws. */
export function readListing(baseUrls: StoreBaseUrls, ref: StoreListingRef): Promise<ListingReading> {
  return ref.store === 'apple'
    ? readAppStore(baseUrls.appStoreUrl, ref)
    : readGooglePlay(baseUrls.googlePlayUrl, ref);
}
