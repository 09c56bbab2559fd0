import { z } from 'zod';
import { type ApiError, type ErrorCode, errorCatalogue } from './errors.ts';

/** The three shapes of every answer under `/api/v1` (API-2). */
export const ErrorEnvelope = z
  .object({
    error: z.object({
      code: z.enum(Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]]),
      message: z.string(),
      requestId: z.string(),
      insufficient: z.literal(true).optional(),
    }),
  })
  .meta({ id: 'Error' });
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;

export function single<T extends z.ZodType>(data: T) {
  return z.object({ data });
}

export function list<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), nextCursor: z.string().nullable() });
}

export const Deleted = z.object({ id: z.string(), deleted: z.literal(true) });

export function errorBody(error: Pick<ApiError, 'code' | 'message'>, requestId: string): ErrorEnvelope {
  const insufficient = error.code === 'insufficient_credits' ? { insufficient: true as const } : {};
  return { error: { code: error.code, message: error.message, requestId, ...insufficient } };
}
