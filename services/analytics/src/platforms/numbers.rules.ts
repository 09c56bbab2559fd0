export type Platform = 'instagram' | 'youtube';

/** Running totals of a platform; null if it hides or lacks that number. */
export type Numbers = { views: number | null; likes: number | null; comments: number | null };

/** A count given as a number or as digits. Anything else, or a count beyond exact integers, is null. */
export function readCount(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null;
}

/** Parses an ISO 8601 time; Instagram writes its offset as `+0000`. */
export function readTime(value: unknown): Date | null {
  if (typeof value !== 'string') return null;
  const time = new Date(value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  return Number.isNaN(time.getTime()) ? null : time;
}
