/** JSON Schemas of the document, made by zod from the contracts. D-73 says why this is not zod-openapi. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

export type Json = Record<string, unknown>;
export type Components = Map<string, Json>;

export type Use = 'answer' | 'post' | 'change';

/**
 * Names that the component of a schema may have, best first. Answers are read first, so
 * they have the plain name.
 */
const suffixes: Readonly<Record<Use, readonly string[]>> = {
  answer: [''],
  post: ['', 'Input'],
  change: ['', 'Input', 'Update'],
};

/**
 * The schema as a part of the document; schemas with an id go to the components. Answers may gain fields, so
 * they accept unknown ones; bodies refuse them. In the body of a POST optional fields may be null.
 */
export function toSchema(schema: z.ZodType, use: Use, components: Components): Json {
  const io = use === 'answer' ? 'output' : 'input';
  const { $schema: _, $defs = {}, ...root } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  const { id, ...shown } = forUse(root, use) as Json & { id?: string };
  const named = {
    ...(forUse($defs, use) as Record<string, Json>),
    ...(id === undefined ? {} : { [id]: shown }),
  };
  const names = new Map<string, string>();
  const nameOf = (of: string): string => {
    const known = names.get(of);
    if (known !== undefined) return known;
    // A schema that refers to itself would not end here; none does.
    const component = withRefs(withoutId(named[of] ?? {}), nameOf) as Json;
    const name = suffixes[use]
      .map(suffix => of + suffix)
      .find(candidate => {
        const present = components.get(candidate);
        return present === undefined || isDeepStrictEqual(present, component);
      });
    if (name === undefined) throw new Error(`${of} has another schema elsewhere: give each an id`);
    components.set(name, component);
    names.set(of, name);
    return name;
  };
  return id === undefined
    ? (withRefs(shown, nameOf) as Json)
    : { $ref: `#/components/schemas/${nameOf(id)}` };
}

function forUse(node: unknown, use: Use): unknown {
  if (use === 'answer') return withoutClosing(node);
  return use === 'post' ? withNulls(node) : node;
}

function withoutId({ id: _, ...schema }: Json): Json {
  return schema;
}

function withoutClosing(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutClosing);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => key !== 'additionalProperties' || value !== false)
      .map(([key, value]) => [key, withoutClosing(value)]),
  );
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
