import type { StoreListing } from '../records/app.ts';

/**
 * `not_found`: the store has no such app. `unavailable`: the store was not reached, was too slow, refused or failed.
 * `garbage`: the answer does not follow the store's protocol. `detail` is for the log and holds nothing of the caller.
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
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed here.
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
