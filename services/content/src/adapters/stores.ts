import { Agent } from 'undici';
import type { StoreListingRef } from '../rules/store-url.ts';
import { readAppStore } from './app-store.ts';
import { readGooglePlay } from './google-play.ts';
import type { ListingReading } from './listing.ts';
import { readIconHueAt } from './read-icon.ts';

/** The app stores, over separate connections. */
export type AppStores = {
  /** Reads a listing within 10 s in total, even if the App Store takes two requests. Never throws. */
  readListing(ref: StoreListingRef): Promise<ListingReading>;
  /** OKLCH hue of an app's icon in degrees; null if it is gray or cannot be read within 4 s. Never throws. */
  readIconHue(iconUrl: string | null): Promise<number | null>;
  close(): Promise<void>;
};

export type StoreBaseUrls = { appStoreUrl: string; googlePlayUrl: string };

// Together with the icon's 4 s, an import ends before the gateway's timeout of 15 s.
const readingMs = 10_000;

export function createAppStores({ appStoreUrl, googlePlayUrl }: StoreBaseUrls): AppStores {
  // Imports are rare: at most four connections to a store, closed after 5 s without use.
  const connections = new Agent({ connections: 4, keepAliveTimeout: 5000, connect: { timeout: 5000 } });
  // An icon that waits for a connection past its 4 s leaves the listing without its color.
  const iconConnections = new Agent({ connections: 16, keepAliveTimeout: 5000, connect: { timeout: 5000 } });
  return {
    readListing(ref) {
      const signal = AbortSignal.timeout(readingMs);
      return ref.store === 'apple'
        ? readAppStore(connections, appStoreUrl, ref, signal)
        : readGooglePlay(connections, googlePlayUrl, ref, signal);
    },
    readIconHue: iconUrl => readIconHueAt(iconConnections, iconUrl, [appStoreUrl, googlePlayUrl]),
    async close() {
      await Promise.all([connections.close(), iconConnections.close()]);
    },
  };
}
