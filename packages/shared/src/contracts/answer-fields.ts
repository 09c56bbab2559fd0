/**
 * Field builders of responses. Their bounds are documentation: a response is checked for its types and
 * fields, never for the length of stored values.
 */
import { z } from 'zod';
import { noNull } from './fields.ts';

const int32Max = 2_147_483_647;
const day = '\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';

export function answerText(maxLength: number, pattern = noNull) {
  return z.string().register(z.globalRegistry, { maxLength, pattern });
}

export function answerInteger(minimum: number, maximum: number) {
  return z
    .int()
    .register(z.globalRegistry, { minimum, maximum, format: maximum > int32Max ? 'int64' : 'int32' });
}

export function answerList<T extends z.ZodType>(item: T, maxItems: number) {
  return z.array(item).register(z.globalRegistry, { maxItems });
}

/** A schema that the OpenAPI document and the clients know by a name. */
export function record<T extends z.ZodRawShape>(id: string, fields: T) {
  return z.object(fields).meta({ id });
}

export const textField = answerText(4096);
/** An id of any resource: `<kind>_<characters>`. */
export const idField = answerText(64, '^[a-z]+_[0-9A-Za-z_-]{1,32}$');
export const requestIdField = answerText(64, '^req_[0-9A-Za-z_-]{1,32}$');
/** A machine-readable failure code, such as `not_approved`. */
export const codeField = answerText(64, '^[a-z_]+$');
export const urlField = z.string().register(z.globalRegistry, { format: 'uri', maxLength: 4096 });
export const count = answerInteger(0, Number.MAX_SAFE_INTEGER);
/** Version of a content, from 1. */
export const versionField = answerInteger(1, int32Max);

/** UTC, milliseconds, `Z`. */
export const timestamp = z.string().register(z.globalRegistry, {
  format: 'date-time',
  pattern: `^${day}T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}Z$`,
  maxLength: 24,
  examples: ['2026-11-21T09:00:00.000Z'],
});

/** `id`, `createdAt` and `updatedAt`, which every record has. */
export const recordFields = { id: idField, createdAt: timestamp, updatedAt: timestamp };

/** Who made a record. `name` is the name at that time. */
export const Maker = record('Maker', { kind: z.enum(['person', 'key']), id: idField, name: textField });

export const createdBy = Maker.nullable().meta({
  description:
    'The key or person that made it. Null where that was not recorded, and for what an automation made.',
});
