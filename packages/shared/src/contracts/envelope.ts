import { z } from 'zod';
import { answerList, answerText, idField, record, requestIdField, textField } from './answer-fields.ts';
import { type ApiError, type ErrorCode, errorCatalogue } from './errors.ts';

/** The three shapes of every answer under `/api/v1` (API-2). */
export const ErrorEnvelope = z
  .object({
    error: z.object({
      code: z.enum(Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]]),
      message: textField,
      requestId: requestIdField,
      param: textField.optional(),
      insufficient: z.literal(true).optional(),
    }),
  })
  // Generators that name a class after its schema would mix it up with its only field.
  .meta({ id: 'Error', title: 'ErrorEnvelope' });
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;

export function single<T extends z.ZodType>(data: T) {
  return z.object({ data });
}

export function list<T extends z.ZodType>(item: T) {
  return z.object({ data: answerList(item, 100), nextCursor: answerText(200).nullable() });
}

export const Deleted = record('Deleted', { id: idField, deleted: z.literal(true) });

export function errorBody(error: Pick<ApiError, 'code' | 'message'>, requestId: string): ErrorEnvelope {
  const { code, message } = error;
  const insufficient = code === 'insufficient_credits' ? { insufficient: true as const } : {};
  const param = codesOfFields.has(code) && fieldAtStart.exec(message)?.[0];
  return { error: { code, message, requestId, ...(param && { param }), ...insufficient } };
}

const codesOfFields = new Set<ErrorCode>([
  'invalid_request',
  'missing_privacy_level',
  'invalid_privacy_level',
]);
/** Messages about a field begin with its path; all others begin with a capital letter or a number. */
const fieldAtStart =
  /^(?:(?!(?:body|query|path) )[a-z]\w*(?:\.\w+|\[\d+\])*(?= )|[^\s\ufffd]+(?= is not a known field))/;
