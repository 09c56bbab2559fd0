/** Texts are plain: no tags, no entities. Times are ISO 8601, UTC. */
export type StoreListing = {
  /** A listing given by hand has null, no `country` and an empty `storeId`. */
  store: 'apple' | 'google' | null;
  storeId: string;
  country: string | null;
  /** The BCP 47 primary subtag of a listing given by hand; otherwise the texts show the language. */
  language?: string | null;
  /** The store's address may name a language. */
  addressLanguage?: string | null;
  name: string;
  summary: string | null;
  description: string;
  iconUrl: string | null;
  /** OKLCH hue of the icon in degrees, null for a gray one. */
  iconHue?: number | null;
  category: string | null;
  rating: number | null;
  ratingCount: number | null;
  screenshots: string[];
  developer: string | null;
  storeUrl: string | null;
  fetchedAt: string;
};
