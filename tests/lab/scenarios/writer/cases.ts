import type { Brief } from '@hookline/shared/contracts/brief';
import file from './listings.json' with { type: 'json' };

export type Listing = (typeof file.listings)[number];
export type Case = { listing: Listing; listingIndex: number; brief: Brief };

const decksPerListing = 4;

/** Each listing without a topic and with three topics in turn; every other deck is drawn. */
export function listCases(count: number): Case[] {
  const all = Array.from({ length: decksPerListing }, (_, round) =>
    file.listings.map((listing, listingIndex): Case => {
      const at = listingIndex * (decksPerListing - 1) + round - 1;
      const topic = round === 0 ? undefined : file.topics[at % file.topics.length];
      const isDrawn = (listingIndex + round) % 2 === 0;
      const brief: Brief = { topic, ...(isDrawn ? { templateId: 'quote-card' } : {}) };
      return { listing, listingIndex, brief };
    }),
  ).flat();
  return Array.from({ length: count }, (_, i) => all[i % all.length]!);
}
