import type { StoreListing } from './record.ts';

/**
 * `unavailable` means that the store was not reached, was too slow, refused or failed; `garbage`, that the
 * answer does not follow its protocol. `detail` is for the log and has no data of the caller.
 */
export type ListingReading =
  | { ok: true; listing: StoreListing }
  | { ok: false; error: 'not_found' | 'unavailable' | 'garbage'; detail: string };

/** Both stores allow 4,000 characters of description. */
const textMax = 8000;

/** Control characters are replaced. */
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

/** The address is shown to people, and the icon may be fetched. */
export function cleanUrl(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 2048 || !URL.canParse(value)) return null;
  const url = new URL(value);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
}

/** Numeric text counts too ("4.7"). */
export function cleanNumber(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null;
}
