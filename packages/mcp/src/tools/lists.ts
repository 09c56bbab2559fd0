import { z } from 'zod';

export type Page<T> = { data: T[]; nextCursor: string | null };

export const limit = z
  .int({ error: 'must be an integer from 1 to 50' })
  .min(1)
  .max(50)
  .optional()
  .meta({ description: 'Number of rows, 1 to 50. Default 20.', examples: [20] });

export const paging = {
  limit,
  cursor: z.string().max(200).optional().meta({ description: 'The nextCursor of the previous answer.' }),
};

/** The result of a list. */
export function rows<T extends z.ZodType>(row: T) {
  return z.object({ rows: z.array(row), nextCursor: z.string().nullable() });
}

/** An id as an argument. */
export function id(what: string, example: string) {
  return z
    .string({ error: `must be the id of ${what}` })
    .min(1)
    .max(64)
    .regex(/^[\w-]+$/, `must be the id of ${what}, such as ${example}`)
    .meta({ description: `The id of ${what}.`, examples: [example] });
}
