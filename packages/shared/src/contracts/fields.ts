/**
 * Field builders whose messages complete the sentence `<path> ...`, so that every `invalid_request` states
 * the valid values (`brief.slideCount must be an integer from 2 to 10`).
 */
import { z } from 'zod';
import { isoTimePattern, normaliseIsoTime } from './iso-time.ts';
import { isTimezone } from './timezone.ts';

// Registered values are documentation and check nothing. `.register` instead of `.meta`, because the latter
// keeps the schema twice.
/** The strings that `isStorable` rejects, as far as a pattern can express it. */
export const noNull = '^[^\\u0000]*$';
const filled = '^[^\\u0000]*\\S[^\\u0000]*$';

export function text(minLength: number, maxLength: number) {
  const error =
    minLength === 0
      ? `must be a text of at most ${maxLength} characters`
      : `must be a text of ${minLength} to ${maxLength} characters`;
  return z
    .string({ error })
    .min(minLength, error)
    .max(maxLength, error)
    .refine(isStorable, unstorable)
    .register(z.globalRegistry, { pattern: noNull });
}

// Postgres refuses both in text or jsonb; without this check the caller's mistake would be answered as our
// db_error.
export const unstorable = 'must not hold the character U+0000 or half of a surrogate pair';

export function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0');
}

/** Text for a platform that counts UTF-16 units, of which most emoji take two; `text` counts code points. */
export function unitText(maxUnits: number) {
  const error = `must be a text of at most ${maxUnits} UTF-16 units (most emoji count as two)`;
  return z
    .string({ error })
    .max(maxUnits, error)
    .refine(value => value.length <= maxUnits, error)
    .refine(isStorable, unstorable)
    .register(z.globalRegistry, { pattern: noNull });
}

/**
 * White space, controls, format characters, combining marks and blank letters (Hangul fillers, Braille
 * blank).
 */
const invisible = /^[\s\p{Cc}\p{Cf}\p{M}\u115f\u1160\u2800\u3164\uffa0]*$/u;
export const isBlank = (text: string): boolean => invisible.test(text);

/** Text with at least one visible character. */
export function filledText(maxLength: number) {
  const error = `must be a text of 1 to ${maxLength} characters that is not blank`;
  return z
    .string({ error })
    .max(maxLength, error)
    .regex(/\S/u, error)
    .refine(isStorable, unstorable)
    .refine(value => !isBlank(value), error)
    .register(z.globalRegistry, { pattern: filled });
}

export function integer(min: number, max: number, error = `must be an integer from ${min} to ${max}`) {
  return z
    .int({ error })
    .min(min, error)
    .max(max, error)
    .register(z.globalRegistry, { format: max > 2 ** 31 ? 'int64' : 'int32' });
}

/** An integer in a query string. */
export function queryInteger(min: number, max: number) {
  const error = `must be an integer from ${min} to ${max}`;
  return z
    .string({ error })
    .regex(/^-?\d{1,10}$/, error)
    .transform(Number)
    .pipe(integer(min, max));
}

export function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` });
}

export function flag() {
  return z.boolean({ error: 'must be true or false' });
}

/** An id given by a caller. Its format is not checked: an unknown one is answered as a missing resource. */
export function idText() {
  return text(1, 64);
}

/** A name of the IANA database; offsets such as `+02:00` are refused. */
export function zoneInput() {
  return text(1, 64).refine(
    isTimezone,
    'must be the name of an IANA time zone, such as Europe/Berlin or UTC',
  );
}

/** An ISO 8601 time with an offset; kept as text in its normal form, read with `new Date`. */
export function timestampInput() {
  const error = 'must be an ISO 8601 time with an offset, such as 2026-12-01T09:00:00Z';
  return z
    .string({ error })
    .max(40, error)
    .register(z.globalRegistry, { format: 'date-time', pattern: isoTimePattern })
    .transform((given, context) => {
      const time = normaliseIsoTime(given);
      if (time === null) context.addIssue({ code: 'custom', message: error });
      return time ?? z.NEVER;
    });
}

/** A day of the UTC calendar, or a time, which stands for its day. Read as `YYYY-MM-DD`. */
export function dayInput() {
  const error = 'must be a day such as 2026-12-01, or an ISO 8601 time with an offset';
  return z
    .string({ error })
    .max(40, error)
    .register(z.globalRegistry, { pattern: `^\\d{4}-\\d{2}-\\d{2}(?:$|T)` })
    .transform((given, context) => {
      const time = normaliseIsoTime(given.length === 10 ? `${given}T00:00:00Z` : given);
      if (time === null) context.addIssue({ code: 'custom', message: error });
      return time === null ? z.NEVER : new Date(time).toISOString().slice(0, 10);
    });
}

export function arrayOf<T extends z.ZodType>(item: T, minItems: number, maxItems: number, what: string) {
  const count = minItems === maxItems ? `exactly ${minItems}` : `${minItems} to ${maxItems}`;
  const error = `must be a list of ${count} ${what}`;
  return z.array(item, { error }).min(minItems, error).max(maxItems, error);
}

/** An object that refuses unknown fields (D-48). */
export function body<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape, {
    error: issue => (issue.code === 'unrecognized_keys' ? undefined : 'must be a JSON object'),
  });
}

/** The `{id}` of a path. @param what the resource, as in "The id of the schedule." */
export function idParams(what: string, example: string) {
  return z.object({ id: pathId(what, example) });
}

export function pathId(what: string, example: string) {
  return idText().meta({ description: `The id of the ${what}.`, examples: [example] });
}

/** A filter of a list. */
export function statusFilter<const T extends readonly [string, ...string[]]>(values: T) {
  return oneOf(values)
    .optional()
    .register(z.globalRegistry, { description: 'Return only those in this state.' });
}

/** A filter of a list. @param what the resource, as in "Return only those of this app." */
export function idFilter(what: string) {
  return idText()
    .optional()
    .meta({ description: `Return only those of this ${what}.` });
}

/** A filter of a list that finds up to 100 records by their ids. */
export function idsFilter() {
  const error = 'must be 1 to 100 ids, separated by commas';
  return z
    .string({ error })
    .max(6_500, error)
    .regex(/^[\w-]{1,64}(?:,[\w-]{1,64}){0,99}$/, error)
    .optional()
    .meta({ description: 'Return only those with these ids, 1 to 100 of them, separated by commas.' });
}

/** Paging of every list (D-22): without parameters, the newest 100. */
export const pageQuery = {
  limit: queryInteger(1, 100)
    .optional()
    .meta({ description: 'Maximum number of rows. With it, `nextCursor` is set when there are more.' }),
  cursor: text(1, 200).optional().meta({ description: 'The `nextCursor` of the previous page.' }),
};
