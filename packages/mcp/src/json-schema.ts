import { z } from 'zod';

type Json = Record<string, unknown>;

/** Arguments of a tool: no `$ref`, because many clients do not follow one. */
export function inputSchema(schema: z.ZodType): Json {
  return plain(schema, 'input', new Set(['format', 'pattern']));
}

/**
 * Result of a tool. Says only names and types: a field that is added later breaks no client, and the
 * list of tools stays short.
 */
export function outputSchema(schema: z.ZodType): Json {
  return plain(
    schema,
    'output',
    new Set([
      'additionalProperties',
      'description',
      'examples',
      'format',
      'pattern',
      'minLength',
      'maxLength',
      'minimum',
      'maximum',
      'minItems',
      'maxItems',
      'maxProperties',
      'propertyNames',
      'required',
    ]),
  );
}

function plain(schema: z.ZodType, io: 'input' | 'output', dropped: ReadonlySet<string>): Json {
  const { $schema: _, $defs = {}, ...root } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return inlined(root, $defs as Record<string, Json>, dropped) as Json;
}

function inlined(node: unknown, defs: Readonly<Record<string, Json>>, dropped: ReadonlySet<string>): unknown {
  if (Array.isArray(node)) return node.map(one => inlined(one, defs, dropped));
  if (typeof node !== 'object' || node === null) return node;
  const { $ref, ...rest } = node as Json & { $ref?: string };
  const whole: Json = $ref === undefined ? rest : { ...defs[$ref.replace('#/$defs/', '')], ...rest };
  return Object.fromEntries(
    Object.entries(whole).flatMap(([name, value]) => {
      // `properties` maps names of fields, which may be called like a keyword.
      if (name === 'properties') {
        const fields = Object.entries(value as Json).map(([field, one]) => [
          field,
          inlined(one, defs, dropped),
        ]);
        return [[name, Object.fromEntries(fields)]];
      }
      return dropped.has(name) || name === 'id' ? [] : [[name, inlined(value, defs, dropped)]];
    }),
  );
}
