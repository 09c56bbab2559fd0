/** In the body of a POST, `null` for an optional field means that it is absent. */
import type { z } from 'zod';

type Drop = (value: unknown) => void;

/**
 * Creates a function that removes such nulls from a parsed body, in place, at any depth. Required fields and
 * nullable ones keep their null. Null when the schema has nothing to remove.
 */
export function nullDropper(schema: z.ZodType): Drop | null {
  const { def } = schema as unknown as { def: Definition };
  if (def.shape) return ofObject(def.shape);
  if (def.element) return ofList(def.element);
  // Optional, nullable and default wrap one schema; a transform is a pipe that reads its first.
  const inner = def.innerType ?? def.in;
  return inner ? nullDropper(inner) : null;
}

type Definition = {
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  innerType?: z.ZodType;
  in?: z.ZodType;
};

function ofObject(shape: Record<string, z.ZodType>): Drop | null {
  const fields = Object.entries(shape);
  const droppable = fields
    .filter(([, field]) => isOptional(field) && !isNullable(field))
    .map(([name]) => name);
  const inner = fields.flatMap(([name, field]) => {
    const drop = nullDropper(field);
    return drop ? [{ name, drop }] : [];
  });
  if (droppable.length === 0 && inner.length === 0) return null;
  return value => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    const record = value as Record<string, unknown>;
    for (const name of droppable) if (record[name] === null) delete record[name];
    for (const { name, drop } of inner) if (Object.hasOwn(record, name)) drop(record[name]);
  };
}

function ofList(element: z.ZodType): Drop | null {
  const drop = nullDropper(element);
  return drop && (value => Array.isArray(value) && value.forEach(drop));
}

function isOptional(field: z.ZodType): boolean {
  return field.safeParse(undefined).success;
}

function isNullable(field: z.ZodType): boolean {
  return field.safeParse(null).success;
}
