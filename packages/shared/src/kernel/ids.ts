import { takeRandom } from './random-pool.ts';
import { alphabet, type IdPrefix, idDigits } from './rules/derive-id.ts';

const timeDigits = 10;
const randomDigits = idDigits - timeDigits;

// Filled and read within one call; the time part is reused within a millisecond.
const text = Buffer.alloc(timeDigits + randomDigits);
let writtenMs = -1;

/**
 * `<prefix>_` and 26 characters: 48 bits of milliseconds, then 80 random bits. Ids of different milliseconds
 * sort by time; within one millisecond the order is random.
 */
export function newId(prefix: IdPrefix, nowMs: number = Date.now()): string {
  if (nowMs !== writtenMs) writeTime(nowMs);
  // 16 bytes, 5 bits of each: simpler than packing and still 80 random bits.
  const random = takeRandom(randomDigits);
  for (let digit = 0; digit < randomDigits; digit += 1) {
    text[timeDigits + digit] = alphabet[(random[digit] as number) & 31] as number;
  }
  return `${prefix}_${text.toString('latin1')}`;
}

function writeTime(nowMs: number): void {
  let time = nowMs;
  for (let digit = timeDigits - 1; digit >= 0; digit -= 1) {
    text[digit] = alphabet[time % 32] as number;
    time = Math.floor(time / 32);
  }
  writtenMs = nowMs;
}

/** The time that `newId` wrote into an id. @throws RangeError for a text that `newId` did not return */
export function timeOfId(id: string): Date {
  const digits = /_([0-9a-hjkmnp-tv-z]{10})[0-9a-hjkmnp-tv-z]{16}$/.exec(id)?.[1];
  if (digits === undefined) throw new RangeError(`${id} has no time`);
  let ms = 0;
  for (const digit of digits) ms = ms * 32 + alphabet.indexOf(digit);
  return new Date(ms);
}
