/**
 * A listing of a store, or one that was given by hand. Texts are plain: no tags, no entities. Times are ISO
 * 8601, UTC.
 */
export type StoreListing = {
  /** Null for a listing given by hand; it has no `country` and an empty `storeId`. */
  store: 'apple' | 'google' | null;
  storeId: string;
  country: string | null;
  /** Given by hand, a BCP 47 primary subtag; otherwise null or absent, and the texts show it. */
  language?: string | null;
  /** What the store's address asked for; absent in listings imported before it was kept. */
  addressLanguage?: string | null;
  name: string;
  summary: string | null;
  description: string;
  iconUrl: string | null;
  /**
   * OKLCH hue of the icon in degrees, null for a gray one; absent in listings imported before icons were
   * read.
   */
  iconHue?: number | null;
  category: string | null;
  rating: number | null;
  ratingCount: number | null;
  screenshots: string[];
  developer: string | null;
  storeUrl: string | null;
  fetchedAt: string;
};
