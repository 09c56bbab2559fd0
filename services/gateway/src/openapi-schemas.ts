/** JSON Schemas of the document, made from the contracts' own; what zod does not say is added here. */
import { isoTimePattern } from '@hookline/shared/contracts';
import { z } from 'zod';

export type Json = Record<string, unknown>;
export type Components = Map<string, Json>;

// Postgres refuses U+0000, and `text()` of the contracts with it.
const noNull = '^[^\\u0000]*$';
const filled = '^[^\\u0000]*\\S[^\\u0000]*$';
const id = { maxLength: 64, pattern: '^[a-z]+_[0-9A-Za-z_-]{1,32}$' };
const url = { format: 'uri', maxLength: 4096 };

/** What is known of a text in an answer by its name. Callers may rely on it as on the rest of the document. */
const textsByName: Readonly<Record<string, Json>> = {
  id,
  appId: id,
  contentId: id,
  scheduleId: id,
  automationId: id,
  firingId: id,
  webhookId: id,
  eventId: id,
  keyId: id,
  resourceId: id,
  tiktokAccountId: id,
  requestId: { maxLength: 64, pattern: '^req_[0-9A-Za-z_-]{1,32}$' },
  email: { maxLength: 254, pattern: '^[^@\\s]+@[^@\\s]+$' },
  key: { maxLength: 58, pattern: '^svc_live_[0-9A-Za-z]{49}$' },
  prefix: { maxLength: 17, pattern: '^svc_live_[0-9A-Za-z]{8}$' },
  token: { maxLength: 48, pattern: '^sess_[\\w-]{43}$' },
  secret: { maxLength: 128, pattern: '^whsec_[0-9A-Za-z+/=]+$' },
  url,
  authorizeUrl: url,
  avatarUrl: url,
  platformPostUrl: url,
  contentType: { maxLength: 64, pattern: '^image/(jpeg|webp)$' },
  code: { maxLength: 64, pattern: '^[a-z_]+$' },
  day: { maxLength: 10, format: 'date' },
  time: { maxLength: 5 },
  hashtags: { maxLength: 100, pattern: '^#[^\\s#]+$' },
  nextCursor: { maxLength: 200, pattern: noNull },
};

const listLengths: Readonly<Record<string, number>> = {
  data: 100,
  // The hook, 60 slides of an edit, the closing line; what a post can hold is less.
  images: 62,
  seedHooks: 15,
  hookOptions: 5,
  bodySlides: 60,
  hashtags: 30,
  scopes: 13,
  events: 6,
  privacyLevels: 4,
  postingTimes: 50,
  attempts: 1000,
  timeline: 10_000,
  history: 3660,
  posts: 100,
  problems: 1000,
};

const numberRanges: Readonly<Record<string, readonly [number, number]>> = {
  amount: [-1_000_000, 1_000_000],
  responseStatus: [100, 599],
  windowDays: [1, 365],
  index: [1, 62],
  version: [1, 2_147_483_647],
  contentVersion: [1, 2_147_483_647],
};

/**
 * The schema as a part of the document. Named schemas go to the components; a name whose two directions differ
 * gets a second one for input.
 * @param bounds what is added where the contract says nothing: nothing but what is checked for input
 * @param acceptsNulls whether optional fields may be null, as in the body of a POST
 */
export function toSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  components: Components,
  bounds: 'input' | 'output' = io,
  acceptsNulls = false,
): Json {
  const {
    $schema: _,
    $defs,
    ...root
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json & { $defs?: Record<string, Json> };
  const names = new Map<string, string>();
  const given = (acceptsNulls ? withNulls($defs ?? {}) : ($defs ?? {})) as Record<string, Json>;
  for (const name of Object.keys(given)) {
    // The same schema takes no nulls elsewhere.
    names.set(name, JSON.stringify(given[name]) === JSON.stringify($defs?.[name]) ? name : `${name}Input`);
  }
  const definitions = () => complete(withRefs(given, names), bounds, '') as Record<string, Json>;
  for (const [name, definition] of Object.entries(definitions())) {
    const known = components.get(name);
    if (names.get(name) === name && known && JSON.stringify(known) !== JSON.stringify(definition)) {
      names.set(name, io === 'input' ? `${name}Input` : `${name}Output`);
    }
  }
  for (const [name, definition] of Object.entries(definitions())) {
    components.set(names.get(name) ?? name, definition);
  }
  return complete(withRefs(acceptsNulls ? withNulls(root) : root, names), bounds, '') as Json;
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

/** Adds formats and bounds. @param name of the field that the node describes, its list's for an item */
function complete(node: unknown, io: 'input' | 'output', name: string): unknown {
  if (Array.isArray(node)) return node.map(item => complete(item, io, name));
  if (typeof node !== 'object' || node === null) return node;
  const { example, ...given } = node as Json;
  // The pattern beside it says what is taken; tools differ on the rest of RFC 5321.
  if (given.format === 'email') delete given.format;
  const inner = Object.fromEntries(
    Object.entries(given).map(([key, value]) => {
      if (key === 'properties') return [key, completeFields(value as Json, io)];
      return [key, isSchemaKey(key) ? complete(value, io, name) : value];
    }),
  );
  // OpenAPI 3.1 takes JSON Schema's word for it.
  const examples = example === undefined ? {} : { examples: [example] };
  return { ...inner, ...boundsOf(inner, io, name), ...examples };
}

function completeFields(fields: Json, io: 'input' | 'output'): Json {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, complete(field, io, name)]));
}

function isSchemaKey(key: string): boolean {
  return (
    ['items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties', 'propertyNames'].includes(key) ||
    /^[A-Z]/.test(key)
  );
}

function boundsOf(schema: Json, io: 'input' | 'output', name: string): Json {
  const types = [schema.type].flat();
  if (types.includes('string')) return textBounds(schema, io, name);
  if (types.includes('integer')) return numberBounds(schema, name);
  if (types.includes('array')) return { maxItems: schema.maxItems ?? listLengths[name] ?? 100 };
  return {};
}

function textBounds(schema: Json, io: 'input' | 'output', name: string): Json {
  if ('enum' in schema || 'const' in schema) return {};
  // How zod reads a time is its own affair, and longer than anything that would help a reader.
  if (schema.format === 'date-time') return { pattern: timePattern(io), maxLength: schema.maxLength ?? 24 };
  const known = io === 'output' ? textsByName[name] : name === 'time' ? textsByName.time : undefined;
  if (known) return known;
  const pattern = schema.pattern === '\\S' ? filled : (schema.pattern ?? noNull);
  return { maxLength: schema.maxLength ?? 4096, pattern };
}

/** In answers UTC, milliseconds and `Z`; in requests what is read. */
function timePattern(io: 'input' | 'output'): string {
  const day = '\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';
  return io === 'output' ? `^${day}T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}Z$` : isoTimePattern;
}

function numberBounds(schema: Json, name: string): Json {
  const [least, most] = numberRanges[name] ?? [0, Number.MAX_SAFE_INTEGER];
  // zod names the safe integers where the contract names nothing.
  const minimum =
    schema.minimum === undefined || schema.minimum === Number.MIN_SAFE_INTEGER ? least : schema.minimum;
  const maximum =
    schema.maximum === undefined || schema.maximum === Number.MAX_SAFE_INTEGER ? most : schema.maximum;
  return { format: (maximum as number) > 2_147_483_647 ? 'int64' : 'int32', minimum, maximum };
}
