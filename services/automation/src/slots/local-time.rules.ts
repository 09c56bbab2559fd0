import { DateTime } from 'luxon';

export function localTime(slot: Date, timezone: string): string {
  return DateTime.fromJSDate(slot, { zone: timezone }).toISO() ?? slot.toISOString();
}
