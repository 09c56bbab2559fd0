import type { z } from 'zod';

type Times = 'createdAt' | 'updatedAt';

/** What a row holds of a record: the times of every record, and those that are named, are dates. */
export type RowOf<Record extends { [Time in Times]: string }, Named extends keyof Record = never> = Omit<
  Record,
  Named | Times
> & { [Time in Named | Times]: Exclude<Record[Time], string> | Date };

type Source<Record> = {
  [Field in keyof Record]: Record[Field] extends string | null | undefined
    ? Record[Field] | Date
    : Record[Field];
};

/** The fields of a record from whatever holds them and perhaps more, its times as text. */
export function recordOf<Schema extends z.ZodObject>(
  { shape }: Schema,
  from: Source<z.output<Schema>>,
): z.output<Schema> {
  const record: Record<string, unknown> = {};
  for (const name in shape) {
    const value: unknown = from[name as keyof typeof from];
    if (value !== undefined) record[name] = value instanceof Date ? value.toISOString() : value;
  }
  return record as z.output<Schema>;
}
