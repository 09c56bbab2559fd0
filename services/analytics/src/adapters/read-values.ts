/** A count as a number or as text of digits; anything else, and what a number cannot hold exactly, is null. */
export function readCount(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null;
}

/** An ISO 8601 time; Instagram writes its offset as `+0000`. */
export function readTime(value: unknown): Date | null {
  if (typeof value !== 'string') return null;
  const time = new Date(value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  return Number.isNaN(time.getTime()) ? null : time;
}
