/** Times accepted from callers (D-8: any ISO 8601 with an offset). */

// ISO 8601 leaves earlier years to agreement, and Postgres has no year 0.
const year = '([1-9]\\d{3})';
const hour = '([01]\\d|2[0-3])';
const minute = '([0-5]\\d)';
const month = '(0[1-9]|1[0-2])';
const day = '(0[1-9]|[12]\\d|3[01])';
const fraction = '(?:[.,](\\d{1,9}))?';
const offset = `([Zz]|[+-](?:[01]\\d|2[0-3])(?::?[0-5]\\d)?)`;

const extended = `${year}-${month}-${day}[Tt]${hour}:${minute}(?::${minute}${fraction})?${offset}`;
const basic = `${year}${month}${day}[Tt]${hour}${minute}(?:${minute}${fraction})?${offset}`;

/** Calendar dates in the extended and in the basic form; seconds and what follows them may be missing. */
export const isoTimePattern = `^(?:${extended}|${basic})$`;

const isoTime = new RegExp(isoTimePattern);

/** ECMAScript's format, which every `Date` reads in the same way. */
const dateForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/**
 * The same time in a form that `Date` reads: unchanged where it is one, else like
 * `2026-12-01T09:00:00.000+01:00`, truncated to milliseconds. Null for anything else: another format, no
 * offset, 30 February.
 */
export function normaliseIsoTime(text: string): string | null {
  const parts = isoTime.exec(text)?.slice(1);
  if (!parts) return null;
  const given = parts[0] === undefined ? parts.slice(8) : parts.slice(0, 8);
  const [y = '', mo = '', d = '', h = '', mi = '', s = '00', ms = '', zone = ''] = given;
  const daysOfMonth = new Date(Date.UTC(Number(y), Number(mo), 0)).getUTCDate();
  if (Number(d) > daysOfMonth) return null;
  const milliseconds = ms.slice(0, 3).padEnd(3, '0');
  const usual = `${y}-${mo}-${d}T${h}:${mi}:${s}.${milliseconds}${normaliseOffset(zone)}`;
  // In UTC its year may have five digits, which no answer can hold.
  if (new Date(usual).getUTCFullYear() > 9999) return null;
  return dateForm.test(text) ? text : usual;
}

function normaliseOffset(zone: string): string {
  if (zone.length === 1) return 'Z';
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
