import { z } from 'zod';
import type { Data, Schema } from './sample.ts';

const Message = z.strictObject({
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content: z.string().min(1),
});

const Request = z.strictObject({
  model: z.string().min(1),
  messages: z.array(Message).min(1),
  temperature: z.number().min(0).max(2).optional(),
  max_tokens: z.int().min(1).optional(),
  max_completion_tokens: z.int().min(1).optional(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high']).optional(),
  stream: z.boolean().optional(),
  response_format: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('text') }),
      z.strictObject({ type: z.literal('json_object') }),
      z.strictObject({
        type: z.literal('json_schema'),
        json_schema: z.strictObject({
          name: z.string().regex(/^[\w-]{1,64}$/),
          description: z.string().optional(),
          strict: z.boolean().optional(),
          schema: z.record(z.string(), z.unknown()),
        }),
      }),
    ])
    .optional(),
});

/**
 * The error of a request in the real endpoint's words; null when it is valid. `kind`: a fault that accepts
 * less.
 */
export function validateRequest(body: unknown, kind: string | null): string | null {
  const parsed = Request.safeParse(body);
  if (!parsed.success) return z.prettifyError(parsed.error);
  const { response_format: format, messages, max_tokens, max_completion_tokens } = parsed.data;
  // The templates of Gemma and Mistral refuse anything else, as LM Studio and vLLM apply them.
  const turns = messages.filter(({ role }) => role === 'user' || role === 'assistant');
  if (
    turns.some(({ role }, at) => role !== (at % 2 === 0 ? 'user' : 'assistant')) ||
    turns.length % 2 === 0
  ) {
    return 'Conversation roles must alternate user/assistant/user/assistant/...';
  }
  const bounds = [max_tokens, max_completion_tokens].filter(bound => bound !== undefined);
  if (bounds.length === 2) {
    return "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.";
  }
  if (kind === 'needs_max_tokens' && bounds.length === 0) return 'max_tokens: Field required';
  if (kind === 'refuses_max_tokens' && max_tokens !== undefined) {
    return "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
  }
  if (format !== undefined && kind === 'no_response_format')
    return "Unrecognized argument: 'response_format'.";
  if (format?.type === 'json_schema') {
    if (kind === 'no_json_schema') return "This response_format type is unavailable: 'json_schema'.";
    if (kind === 'no_lengths' && /"m(?:in|ax)Length"/.test(JSON.stringify(format)))
      return "Invalid schema for response_format: 'minLength' is not permitted.";
    const { schema, strict } = format.json_schema;
    return strict ? strictComplaint(schema as Schema, 'schema') : null;
  }
  const saysJson = messages.some(({ content }) => /json/i.test(content));
  if (format?.type === 'json_object' && !saysJson) {
    return "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.";
  }
  return null;
}

/** Strict schemas require every property and allow no others. */
function strictComplaint(schema: Schema, path: string): string | null {
  if (schema.type === 'array') return strictComplaint((schema.items ?? {}) as Schema, `${path}.items`);
  if (schema.type !== 'object') return null;
  const names = Object.keys(schema.properties ?? {});
  if (schema.additionalProperties !== false) return `${path}: additionalProperties must be false.`;
  if (names.some(name => !schema.required?.includes(name)))
    return `${path}: every property must be required.`;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const complaint = strictComplaint(property as Schema, `${path}.${name}`);
    if (complaint !== null) return complaint;
  }
  return null;
}

/**
 * The requested schema: in `response_format`, or in the words of the system message, which a model would
 * follow.
 */
export function schemaOf(body: Record<string, unknown>, ignoresSchema = false): unknown {
  const { data } = Request.safeParse(body);
  if (data?.response_format?.type === 'json_schema' && !ignoresSchema)
    return data.response_format.json_schema.schema;
  const system = data?.messages.find(({ role }) => role === 'system')?.content ?? '';
  const inWords = /JSON schema:\s*(\{[\s\S]*\})\s*$/.exec(system)?.[1];
  try {
    return inWords === undefined ? null : JSON.parse(inWords);
  } catch {
    return null;
  }
}

/**
 * What a model takes from the data of the question, the first JSON object behind the worked example: the
 * first words of the topic, a line of the listing that fits.
 */
export function dataOf(body: Record<string, unknown>): Data {
  const { data } = Request.safeParse(body);
  for (const { role, content } of data?.messages.toReversed() ?? []) {
    const asked = role === 'user' ? jsonOf(content) : null;
    if (!asked?.brief) continue;
    const topic = asked.brief.topic?.split(/\s+/).slice(0, 8).join(' ');
    const { name, lines } = asked.listing ?? {};
    return { name, topic, line: lines?.find(({ length }) => length <= 100)?.replace(/[.!]+$/, '') };
  }
  return {};
}

type Asked = { brief?: { topic?: string | null }; listing?: { name?: string; lines?: string[] } };

function jsonOf(text: string): Asked | null {
  try {
    return JSON.parse(text) as Asked;
  } catch {
    return null;
  }
}
