/** JSON Schemas of the document, made by zod from the contracts. D-73 says why this is not zod-openapi. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

export type Json = Record<string, unknown>;
export type Components = Map<string, Json>;

/**
 * The schema as a part of the document; schemas with an id go to the components. One that accepts nulls
 * becomes a separate component, `<id>Input`, because elsewhere it accepts none.
 * @param acceptsNulls true if optional fields may be null, as in the body of a POST
 */
export function toSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  components: Components,
  acceptsNulls = false,
): Json {
  const { $schema: _, $defs = {}, ...root } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  const shown = acceptsNulls
    ? (withNulls({ $defs, root }) as { $defs: typeof $defs; root: Json })
    : { $defs, root };
  const nameOf = (id: string): string => (isDeepStrictEqual(shown.$defs[id], $defs[id]) ? id : `${id}Input`);
  for (const [id, definition] of Object.entries(shown.$defs)) {
    const component = withRefs(definition, nameOf) as Json;
    const known = components.get(nameOf(id));
    if (known && !isDeepStrictEqual(known, component)) {
      throw new Error(`${id} is read differently than it is written: give each direction an id`);
    }
    components.set(nameOf(id), component);
  }
  return withRefs(shown.root, nameOf) as Json;
}

/** Makes every optional field of an object nullable. */
function withNulls(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withNulls);
  if (typeof node !== 'object' || node === null) return node;
  const schema = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, withNulls(value)]),
  ) as Json;
  if (typeof schema.properties !== 'object' || schema.properties === null) return schema;
  const required = (schema.required ?? []) as string[];
  const fields = Object.entries(schema.properties as Record<string, Json>);
  return {
    ...schema,
    properties: Object.fromEntries(
      fields.map(([name, field]) => [name, required.includes(name) ? field : orNull(field)]),
    ),
  };
}

function orNull(field: Json): Json {
  if (typeof field.type !== 'string') {
    return Array.isArray(field.anyOf)
      ? { ...field, anyOf: [...field.anyOf, { type: 'null' }] }
      : { anyOf: [field, { type: 'null' }] };
  }
  const values = Array.isArray(field.enum) ? { enum: [...field.enum, null] } : {};
  return { ...field, ...values, type: [field.type, 'null'] };
}

function withRefs(node: unknown, nameOf: (id: string) => string): unknown {
  if (Array.isArray(node)) return node.map(item => withRefs(item, nameOf));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) =>
      key === '$ref'
        ? [key, `#/components/schemas/${nameOf(String(value).replace('#/$defs/', ''))}`]
        : [key, withRefs(value, nameOf)],
    ),
  );
}
