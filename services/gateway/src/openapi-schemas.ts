/** JSON Schemas of the document, made by zod from the contracts. */
import { z } from 'zod';

export type Json = Record<string, unknown>;
export type Components = Map<string, Json>;

/**
 * The schema as a part of the document. Named schemas go to the components; a name whose two directions differ
 * gets a second one for input.
 * @param acceptsNulls whether optional fields may be null, as in the body of a POST
 */
export function toSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  components: Components,
  acceptsNulls = false,
): Json {
  const {
    $schema: _,
    $defs = {},
    ...root
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json & { $defs?: Record<string, Json> };
  const given = (acceptsNulls ? withNulls($defs) : $defs) as Record<string, Json>;
  const names = new Map<string, string>();
  for (const name of Object.keys(given)) {
    // The same schema takes no nulls elsewhere.
    names.set(name, JSON.stringify(given[name]) === JSON.stringify($defs[name]) ? name : `${name}Input`);
  }
  const definitions = () => withRefs(given, names) as Record<string, Json>;
  for (const [name, definition] of Object.entries(definitions())) {
    const known = components.get(name);
    if (names.get(name) === name && known && JSON.stringify(known) !== JSON.stringify(definition)) {
      names.set(name, io === 'input' ? `${name}Input` : `${name}Output`);
    }
  }
  for (const [name, definition] of Object.entries(definitions())) {
    components.set(names.get(name) ?? name, definition);
  }
  return withRefs(acceptsNulls ? withNulls(root) : root, names) as Json;
}
/** Lets every optional field of an object be null. */
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

function withRefs(node: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(node)) return node.map(item => withRefs(item, names));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (key !== '$ref') return [key, withRefs(value, names)];
      const name = String(value).replace('#/$defs/', '');
      return [key, `#/components/schemas/${names.get(name) ?? name}`];
    }),
  );
}
