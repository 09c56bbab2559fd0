/** The model's answer: a schema for its shape and lengths, and a reader that trusts nothing. */
import { z } from 'zod';
import { type DeckWanted, type Draft, type Fields, lengths } from './draft.ts';

export const hooksMax = 5;
export const hooksMin = 3;
/** Reading all of the 5,000 that an answer has room for would hold up the decks of others for half a second. */
const hooksRead = 2 * hooksMax;

export function allFields({ hasHook }: DeckWanted): Fields {
  return { hooks: hasHook ? 0 : hooksMax, slides: 'all', soft: true, caption: true };
}

type Property = Record<string, unknown>;
const list = (min: number, max: number, items: Property): Property => ({
  type: 'array',
  minItems: min,
  maxItems: max,
  items,
});

/**
 * The JSON schema of an answer, in the subset that structured outputs share: every field required, no others
 * allowed. It contains no text of the listing, because some providers put the schema into the system prompt.
 */
export function answerSchema(wanted: DeckWanted, fields: Fields): Property {
  const { plan, isCounted } = wanted;
  const text = (kind: keyof typeof lengths, description: string): Property => ({
    type: 'string',
    description,
    minLength: lengths[kind].charactersMin,
    maxLength: lengths[kind].charactersMax,
  });
  const promise = isCounted
    ? `promises exactly ${plan.bodyCount} things, written as the digit ${plan.bodyCount}`
    : `promises no number, or exactly ${plan.bodyCount} things`;
  const hook = text('hook', `A hook of 4 to 11 words that ${promise}`);
  const slide = text('body', 'One slide: 8 to 22 words, one or two sentences, one concrete idea');
  const properties: Record<string, Property> = {};
  if (fields.hooks > 0) properties.hookOptions = list(Math.min(fields.hooks, hooksMin), fields.hooks, hook);
  if (fields.slides === 'all') properties.bodySlides = list(plan.bodyCount, plan.bodyCount, slide);
  else for (const i of fields.slides) properties[`slide${i + 1}`] = slide;
  if (fields.soft) {
    properties.ctaSoft = text(
      'soft',
      'A useful sentence of 6 to 18 words that names the app of the listing once, no order to install',
    );
  }
  if (fields.slides === 'all') {
    properties.language = { type: 'string', description: 'BCP 47 tag of the language of the texts' };
    properties.hashtags = list(3, 5, { type: 'string', description: 'A hashtag with its #' });
  }
  if (fields.caption) properties.caption = text('caption', '60 to 220 characters of plain text, no hashtags');
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** The same without lengths, for endpoints that reject them. */
export function withoutLengths(schema: Property): Property {
  return JSON.parse(
    JSON.stringify(schema, (key, value) => (key === 'minLength' || key === 'maxLength' ? undefined : value)),
  ) as Property;
}

export function emptyDraft({ plan }: DeckWanted): Draft {
  const slides = Array.from({ length: plan.bodyCount }, () => null);
  return { hooks: [], slides, soft: null, caption: null, hashtags: [], language: null };
}

const Answer = z.record(z.string(), z.unknown());
const textOf = (value: unknown): string | null =>
  (typeof value === 'string' ? tidyText(value) : null) || null;
/** Some models wrap a slide: `{ "text": "..." }`. */
const slideOf = (value: unknown): string | null =>
  tidySlide(textOf((value as { text?: unknown } | null)?.text ?? value));
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/**
 * Merges the model's text into the draft: plain JSON, in a code fence, after its thinking, or surrounded by
 * words. A field that is missing, was not asked for or has another type changes nothing; new hooks come first.
 * @returns null when the text contains no object, or the draft has no hook and no slide afterwards
 */
export function mergeAnswer(draft: Draft, content: string, asked: Fields): Draft | null {
  const answer = parse(content);
  if (!answer) return null;
  const isWhole = asked.slides === 'all';
  const written = isWhole ? listOf(answer.bodySlides).map(slideOf) : [];
  const isAsked = (i: number): boolean => asked.slides === 'all' || asked.slides.includes(i);
  const hooks = listOf(answer.hookOptions).slice(0, hooksRead);
  const merged: Draft = {
    hooks: [...new Set([...hooks.flatMap(hook => textOf(hook) ?? []), ...draft.hooks])],
    slides: draft.slides.map((slide, i) =>
      isAsked(i) ? (slideOf(answer[`slide${i + 1}`]) ?? written[i] ?? slide) : slide,
    ),
    soft: (asked.soft ? textOf(answer.ctaSoft) : null) ?? draft.soft,
    caption:
      (asked.caption ? textOf(answer.caption)?.replace(/\s#[\p{L}\p{N}_]+/gu, '') : null) ?? draft.caption,
    hashtags: isWhole ? listOf(answer.hashtags).flatMap(tag => textOf(tag) ?? []) : draft.hashtags,
    language: (isWhole ? textOf(answer.language) : null) ?? draft.language,
  };
  const isEmpty = merged.hooks.length === 0 && merged.slides.every(slide => slide === null);
  return isEmpty ? null : merged;
}

/** Ten times the longest deck: reading more would hold up the decks of others. */
const answerMax = 50_000;

function parse(content: string): Record<string, unknown> | null {
  const said = content.split(/<\/think>/i).at(-1)!;
  if (said.length > answerMax) return null;
  const inner = said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1);
  for (const candidate of [said, inner, closeCut(said)]) {
    try {
      const parsed = Answer.safeParse(JSON.parse(candidate));
      if (parsed.success) return parsed.data;
    } catch {
      // The next candidate may be valid JSON.
    }
  }
  return null;
}

/** An answer that ran out of tokens, up to its last whole value. Anything else that is not JSON stays so. */
function closeCut(text: string): string {
  const answer = text.slice(text.indexOf('{'));
  const tokens = [...answer.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],]/g)];
  const last = tokens.findLastIndex(([token]) => token === ',');
  const open: string[] = [];
  for (const [token] of tokens.slice(0, Math.max(0, last))) {
    if (token === '{') open.push('}');
    else if (token === '[') open.push(']');
    else if (token === '}' || token === ']') open.pop();
  }
  return answer.slice(0, tokens[last]?.index ?? 0) + open.reverse().join('');
}

/** Fixes form only: white space, list marks, emphasis. The content is unchanged. */
function tidyText(value: string): string {
  return value
    .toWellFormed()
    .normalize('NFC')
    .replace(/\*\*|__/g, '')
    .replace(/\p{Cc}|\s+/gu, ' ')
    .replace(/ +/g, ' ')
    .trim();
}

function tidySlide(text: string | null): string | null {
  return text?.replace(/^(?:[-*•]|\d{1,2}[.)])\s+/, '') ?? null;
}
