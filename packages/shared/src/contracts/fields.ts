/**
 * Field builders whose messages complete the sentence `<path> ...`, so that every `invalid_request`
 * says what would be right (`brief.slideCount must be an integer from 2 to 10`).
 */
import { z } from 'zod';
import { normaliseIsoTime } from './iso-time.ts';

export function text(minLength: number, maxLength: number) {
  const error =
    minLength === 0
      ? `must be a text of at most ${maxLength} characters`
      : `must be a text of ${minLength} to ${maxLength} characters`;
  return z.string({ error }).min(minLength, error).max(maxLength, error).refine(isStorable, unstorable);
}

// Postgres refuses both in text or jsonb: unchecked, the caller's mistake would be answered as our db_error.
const unstorable = 'must not hold the character U+0000 or half of a surrogate pair';

function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0');
}

/** A text for a platform that counts UTF-16 units, of which most emoji take two; `text` counts code points. */
export function unitText(maxUnits: number) {
  const error = `must be a text of at most ${maxUnits} UTF-16 units (most emoji count as two)`;
  return z
    .string({ error })
    .max(maxUnits, error)
    .refine(value => value.length <= maxUnits, error)
    .refine(isStorable, unstorable);
}

/** White space, controls, format characters, combining marks and the letters that are drawn as nothing (Hangul fillers, Braille blank). */
const invisible = /^[\s\p{Cc}\p{Cf}\p{M}\u115f\u1160\u2800\u3164\uffa0]*$/u;

/** A text in which there is something to see. */
export function filledText(maxLength: number) {
  const error = `must be a text of 1 to ${maxLength} characters that is not blank`;
  return z
    .string({ error })
    .max(maxLength, error)
    .regex(/\S/u, error)
    .refine(isStorable, unstorable)
    .refine(value => !invisible.test(value), error);
}

export function integer(min: number, max: number) {
  const error = `must be an integer from ${min} to ${max}`;
  return z.int({ error }).min(min, error).max(max, error);
}

/** An integer that arrives as text, in a query string. */
export function queryInteger(min: number, max: number) {
  const error = `must be an integer from ${min} to ${max}`;
  return z
    .string({ error })
    .regex(/^-?\d{1,10}$/, error)
    .transform(Number)
    .pipe(z.int({ error }).min(min, error).max(max, error));
}

export function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` });
}

export function flag() {
  return z.boolean({ error: 'must be true or false' });
}

/** An id given by a caller. Its form is not checked: an unknown one is answered as a missing resource. */
export function idText() {
  return text(1, 64);
}

/** An ISO 8601 time with an offset; kept as text in its usual form, read with `new Date`. */
export function timestampInput() {
  const error = 'must be an ISO 8601 time with an offset, such as 2026-12-01T09:00:00Z';
  return z
    .string({ error })
    .max(40, error)
    .meta({ format: 'date-time' })
    .transform((given, context) => {
      const time = normaliseIsoTime(given);
      if (time === null) context.addIssue({ code: 'custom', message: error });
      return time ?? z.NEVER;
    });
}

/** A time in an answer: UTC, milliseconds, `Z`. */
export function timestamp() {
  return z.string().meta({ format: 'date-time', example: '2026-11-21T09:00:00.000Z' });
}

export function arrayOf<T extends z.ZodType>(item: T, minItems: number, maxItems: number, what: string) {
  const error = `must be a list of ${minItems} to ${maxItems} ${what}`;
  return z.array(item, { error }).min(minItems, error).max(maxItems, error);
}

/** An object that refuses unknown fields (D-48). */
export function body<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape, {
    error: issue => (issue.code === 'unrecognized_keys' ? undefined : 'must be a JSON object'),
  });
}

/** `id`, `createdAt` and `updatedAt`, which every record has. */
export const recordFields = { id: z.string(), createdAt: timestamp(), updatedAt: timestamp() };

/** Paging of every list (D-22): nothing given means the newest 100. */
export const pageQuery = {
  limit: queryInteger(1, 100).optional(),
  cursor: text(1, 200).optional(),
};
