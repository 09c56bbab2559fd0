type Schema = {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, unknown>;
  items?: unknown;
  minItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  anyOf?: unknown[];
};

const words = 'Small steps every day add up to a habit that stays with you';

/** The plainest value that satisfies a JSON schema of the kind structured outputs use. */
export function sampleOf(input: unknown, index = 0): unknown {
  const schema = (input ?? {}) as Schema;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) return sampleOf(schema.anyOf[0], index);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, value], at) => [key, sampleOf(value, at)]),
      );
    case 'array':
      return Array.from({ length: schema.minItems ?? 1 }, (_, at) => sampleOf(schema.items, at));
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return textOf(schema, index);
  }
}

function textOf(schema: Schema, index: number): string {
  const text = `${words} ${index + 1}`.padEnd(schema.minLength ?? 0, '.');
  return schema.maxLength === undefined ? text : text.slice(-schema.maxLength).trimStart();
}
