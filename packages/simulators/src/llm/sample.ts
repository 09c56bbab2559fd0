import { caption, countedHooks, hashtags, plainHooks, sentences } from './texts.ts';

export type Schema = {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, unknown>;
  required?: string[];
  additionalProperties?: unknown;
  items?: unknown;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  anyOf?: unknown[];
};

/** What the model takes from the data of the question. */
export type Data = { name?: string | undefined; topic?: string | undefined; line?: string | undefined };

/**
 * A plain value that satisfies a JSON schema of the kind structured outputs use; it follows the descriptions
 * as a model does.
 */
export function sampleOf(input: unknown, data: Data = {}, index = 0): unknown {
  const schema = (input ?? {}) as Schema;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) return sampleOf(schema.anyOf[0], data, index);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, value], at) => [
          key,
          sampleOf(value, data, placeOf(key) ?? at),
        ]),
      );
    case 'array':
      return Array.from({ length: schema.minItems ?? 1 }, (_, at) => sampleOf(schema.items, data, at));
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return textOf(schema, data, index);
  }
}

function textOf(schema: Schema, data: Data, index: number): string {
  const text = wordsFor(schema.description ?? '', data, index).padEnd(schema.minLength ?? 0, '.');
  return schema.maxLength === undefined ? text : text.slice(0, schema.maxLength).trimEnd();
}

/** "slide3" is the third of its kind. */
function placeOf(key: string): number | null {
  const number = /\d+$/.exec(key)?.[0];
  return number === undefined ? null : Number(number) - 1;
}

function wordsFor(description: string, { name, topic, line }: Data, index: number): string {
  const pick = (texts: readonly string[]): string => texts[index % texts.length] ?? '';
  if (/BCP 47/.test(description)) return 'en';
  if (/^A hashtag\b/.test(description)) return pick(hashtags);
  const count = /promises exactly (\d+)/.exec(description)?.[1];
  if (count !== undefined) return pick(countedHooks).replace('{n}', count);
  if (/\bhook\b/i.test(description)) return pick(plainHooks);
  if (/no hashtags/.test(description)) return caption;
  if (/names the app/.test(description))
    return line ? `${name} can do this: ${line}.` : `Keep ${name} nearby.`;
  return topic ? `${pick(sentences)} Think of ${topic}.` : pick(sentences);
}
