import { pictureBytesMax } from '@hookline/slides';
import { Agent } from 'undici';
import { readAppStore } from './app-store.ts';
import type { ListingReading } from './clean.ts';
import { readGooglePlay } from './google-play.ts';
import { fetchPicture, readIconHueAt } from './picture.ts';
import type { StoreListingRef } from './url.rules.ts';

/** `isShared` marks a real store, which counts all accounts as one client. */
export type StoreAddress = { url: string; isShared: boolean };

/** Addresses are queried in this order. */
export type StoreAddresses = Record<StoreListingRef['store'], readonly StoreAddress[]>;

export type AppStores = {
  addresses: StoreAddresses;
  /** Reads a listing with one request, redirects and a language that Apple refuses aside. Never throws. */
  readListing(ref: StoreListingRef, baseUrl: string, signal: AbortSignal): Promise<ListingReading>;
  /** Returns an OKLCH hue in degrees; null if the icon is gray or cannot be read within 4 s. Never throws. */
  readIconHue(iconUrl: string | null): Promise<number | null>;
  /** Returns null if the address is not a store's, or the picture exceeds 4 s or 10 MB. Never throws. */
  readScreenshot(url: string): Promise<Buffer | null>;
  close(): Promise<void>;
};

export function createAppStores(addresses: StoreAddresses): AppStores {
  // Imports are rare: at most four connections to a store, closed after 5 s without use.
  const connections = new Agent({ connections: 4, keepAliveTimeout: 5000, connect: { timeout: 5000 } });
  // An icon that waits for a connection past its 4 s leaves the listing without its color.
  const iconConnections = new Agent({ connections: 16, keepAliveTimeout: 5000, connect: { timeout: 5000 } });
  const urls = [...addresses.apple, ...addresses.google].map(({ url }) => url);
  return {
    addresses,
    readListing(ref, baseUrl, signal) {
      const read = ref.store === 'apple' ? readAppStore : readGooglePlay;
      return read(ref, baseUrl, { connections, signal });
    },
    readIconHue: iconUrl => readIconHueAt(iconConnections, iconUrl, urls),
    readScreenshot: url =>
      fetchPicture(url, {
        connections: iconConnections,
        storeUrls: urls,
        bytesMax: pictureBytesMax,
      }),
    async close() {
      await Promise.all([connections.close(), iconConnections.close()]);
    },
  };
}
