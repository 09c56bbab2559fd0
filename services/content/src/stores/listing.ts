/** A store listing in one form for both stores. Texts are plain: no tags, no entities. Times are ISO 8601, UTC. */
export type StoreListing = {
  store: 'apple' | 'google';
  storeId: string;
  country: string;
  name: string;
  summary: string | null;
  description: string;
  iconUrl: string | null;
  /** OKLCH hue of the icon in degrees, null for a grey one; missing in listings read before icons were. */
  iconHue?: number | null;
  category: string | null;
  rating: number | null;
  ratingCount: number | null;
  screenshots: string[];
  developer: string | null;
  storeUrl: string | null;
  fetchedAt: string;
};

/**
 * `not_found`: the store has no such app. `unavailable`: not reached, too slow, refused or failing. `garbage`: an answer that is not
 * what the store's protocol says. `detail` is for the log; it holds nothing of the caller.
 */
export type ListingReading =
  | { ok: true; listing: StoreListing }
  | { ok: false; error: 'not_found' | 'unavailable' | 'garbage'; detail: string };

/** Longest text kept of a foreign field; both stores allow 4,000 characters of description. */
const textMax = 8000;

/** A foreign value as trimmed text without control characters, or null. */
export function cleanText(value: unknown, charactersMax = textMax): string | null {
  if (typeof value !== 'string') return null;
  const text = value
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out here.
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\ufffe\uffff]/g, ' ')
    .toWellFormed()
    .trim();
  return text ? text.slice(0, charactersMax).toWellFormed() : null;
}

/** A foreign value as an https address, or null: it is shown to people, and the icon may be fetched. */
export function cleanUrl(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 2048 || !URL.canParse(value)) return null;
  const url = new URL(value);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
}

/** A foreign value as a finite number, text included ("4.7"), or null. */
export function cleanNumber(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null;
}
