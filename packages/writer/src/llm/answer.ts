/** The model's answer: a schema for its shape, and our own rules for the rest. */

import type { DeckPlan } from '@hookline/deck';
import { z } from 'zod';

export const ModelAnswer = z.object({
  language: z.string().max(35),
  hookOptions: z.array(z.string()).optional(),
  bodySlides: z.array(z.string()),
  ctaSoft: z.string(),
  ctaHard: z.string(),
  caption: z.string(),
  hashtags: z.array(z.string()),
});
export type ModelAnswer = z.infer<typeof ModelAnswer>;

export type AnswerWanted = {
  plan: DeckPlan;
  /** The hook is given, so none is written. */
  hasHook: boolean;
  /** The hook must promise the number of body slides. */
  isCounted: boolean;
  appName: string;
};

type Property = Record<string, unknown>;
const text = (description: string): Property => ({ type: 'string', description });
const list = (min: number, max: number, item: Property): Property => ({
  type: 'array',
  minItems: min,
  maxItems: max,
  items: item,
});

/**
 * The JSON schema of an answer, in the subset that structured outputs share: every field required, no others
 * allowed.
 */
export function answerSchema({ plan, hasHook, isCounted, appName }: AnswerWanted): Property {
  const promise = isCounted
    ? `promises exactly ${plan.bodyCount} things, written as the digit ${plan.bodyCount}`
    : 'promises no number';
  const properties: Record<string, Property> = {
    language: text('BCP 47 language of every text here, like "en"'),
    ...(hasHook ? {} : { hookOptions: list(3, 5, text(`A hook of 4 to 11 words that ${promise}`)) }),
    bodySlides: list(
      plan.bodyCount,
      plan.bodyCount,
      text('One slide: 8 to 22 words, one or two sentences, one concrete idea'),
    ),
    ctaSoft: text(`A useful sentence of 6 to 18 words that names "${appName}" once, no order to install`),
    ctaHard: text(`A line of 3 to 10 words that names "${appName}" once`),
    caption: text('60 to 220 characters of plain text, no hashtags'),
    hashtags: list(3, 5, text('A hashtag: # and letters or digits')),
  };
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/**
 * Parses the model's text: plain JSON, in a code fence, after its thinking, or surrounded by words.
 * @returns null when it contains no such object
 */
export function readAnswer(content: string): ModelAnswer | null {
  const said = content.replace(/<think>[\s\S]*?<\/think>/gi, '');
  const inner = said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1);
  for (const candidate of [said, inner]) {
    try {
      const parsed = ModelAnswer.safeParse(JSON.parse(candidate));
      if (parsed.success) return tidy(parsed.data);
    } catch {
      // Not valid JSON: try the next candidate.
    }
  }
  return null;
}

/** Fixes form only: white space, list marks, emphasis, the # of a hashtag. The content is unchanged. */
function tidy(answer: ModelAnswer): ModelAnswer {
  return {
    language: canonicalLanguage(answer.language),
    hookOptions: answer.hookOptions?.map(tidyText),
    bodySlides: answer.bodySlides.map(slide => tidyText(slide.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, ''))),
    ctaSoft: tidyText(answer.ctaSoft),
    ctaHard: tidyText(answer.ctaHard),
    caption: tidyText(answer.caption.replace(/\s#[\p{L}\p{N}_]+/gu, '')),
    hashtags: tidyHashtags(answer.hashtags),
  };
}

function tidyText(value: string): string {
  return value
    .toWellFormed()
    .normalize('NFC')
    .replace(/\*\*|__/g, '')
    .replace(/\p{Cc}|\s+/gu, ' ')
    .replace(/ +/g, ' ')
    .trim();
}

function tidyHashtags(hashtags: readonly string[]): string[] {
  const tags = new Map<string, string>();
  for (const hashtag of hashtags) {
    const tag = `#${tidyText(hashtag).replace(/[^\p{L}\p{N}\p{M}_]/gu, '')}`;
    if (tag.length > 1 && !tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag);
  }
  return [...tags.values()].slice(0, 5);
}

function canonicalLanguage(given: string): string {
  try {
    return Intl.getCanonicalLocales(given.trim().replaceAll('_', '-'))[0] ?? 'en';
  } catch {
    return 'en';
  }
}
