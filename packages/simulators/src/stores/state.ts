import type { Journal, Table } from '../state/journal.ts';
import seeds from './listings.json' with { type: 'json' };

export type StoreName = 'appstore' | 'googleplay';

export type Listing = {
  storeId: string;
  name: string;
  description: string;
  developer: string;
  category: string;
  language: string;
  /** Two letters; null means every storefront. */
  country: string | null;
  iconUrl: string | null;
  /** Number of screenshots on the store page. Absent in listings from before there were any. */
  screenshots?: number;
};

export type StoresState = {
  /** A listing added under `/_control`, or one of the twelve seeded ones. */
  find(store: StoreName, storeId: string): Listing | null;
  list(store: StoreName): Listing[];
  put(store: StoreName, listing: Listing): void;
};

const seeded = new Map<string, Listing>(
  seeds.map(({ store, ...seed }) => [
    `${store === 'apple' ? 'appstore' : 'googleplay'} ${seed.storeId}`,
    { screenshots: 0, ...seed, country: null, iconUrl: null },
  ]),
);

export function createStores(journal: Journal): StoresState {
  const table: Table<Listing> = journal.table('listings');
  return {
    find: (store, storeId) => table.get(`${store} ${storeId}`) ?? seeded.get(`${store} ${storeId}`) ?? null,
    list: store => {
      const all = new Map([...seeded, ...table.entries()]);
      return [...all].filter(([key]) => key.startsWith(`${store} `)).map(([, listing]) => listing);
    },
    put: (store, listing) => table.put(`${store} ${listing.storeId}`, listing),
  };
}
