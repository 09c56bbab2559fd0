import type { GivenListing } from '@hookline/shared/contracts/apps';
import type { StoreListing } from '../stores/record.ts';

export function toStoreListing(listing: GivenListing, at: Date): StoreListing {
  const { name, description, category = null, features = [], language } = listing;
  const lines = features.map(feature => `• ${feature.trim()}`);
  return {
    store: null,
    storeId: '',
    country: null,
    language: language?.split('-')[0]?.toLowerCase() ?? null,
    name,
    summary: null,
    description: [description, ...(lines.length > 0 ? ['', 'Features', ...lines] : [])].join('\n'),
    iconUrl: null,
    iconHue: null,
    category,
    rating: null,
    ratingCount: null,
    screenshots: [],
    developer: null,
    storeUrl: null,
    fetchedAt: at.toISOString(),
  };
}
