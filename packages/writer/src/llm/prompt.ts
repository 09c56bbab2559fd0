/** The questions to a model, made from the files in `prompts/`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Brief } from '@hookline/shared/contracts/brief';
import type { LearnedHook, Lesson } from '@hookline/shared/contracts/lesson';
import banList from '../../data/ban-list.json' with { type: 'json' };
import de from '../../prompts/examples/de.json' with { type: 'json' };
import en from '../../prompts/examples/en.json' with { type: 'json' };
import es from '../../prompts/examples/es.json' with { type: 'json' };
import fr from '../../prompts/examples/fr.json' with { type: 'json' };
import pt from '../../prompts/examples/pt.json' with { type: 'json' };
import structures from '../../prompts/structures.json' with { type: 'json' };
import { splitSentences } from '../listing/line-text.ts';
import type { Material, MaterialSource } from '../listing/material.ts';
import type { Archetype, EarlierDecks, WriteRequest } from '../port.ts';
import { hasClaim } from '../text-filters.ts';
import type { BrokenRule, DeckWanted } from './draft.ts';

const read = (file: string): string =>
  readFileSync(join(import.meta.dirname, '../../prompts', file), 'utf8').trim();
const phrases = banList.phrases.map(phrase => phrase.replace('*', '…'));
const system = read('system.md').replace('{{banned}}', () => phrases.join(', '));
const repair = read('repair.md');
const spelledOut = read('spelled-out.md');

export type ChatMessage = { role: 'system' | 'user' | 'assistant'; content: string };

const descriptionMax = 1_500;
const linesMax = 20;
const claimsMax = 8;
const hooksShown = 30;
const rulesNamed = 8;

export type PromptRequest = {
  app: MaterialSource;
  material: Material;
  brief: Brief;
  archetype: Archetype;
  wanted: DeckWanted;
} & Pick<WriteRequest, 'voice' | 'avoidWords' | 'before' | 'lesson'>;

type Example = { question: Record<string, unknown>; answer: Record<string, unknown> };
/** A worked example for each structure, by language; others are shown the English one. */
const examples: Readonly<Record<string, Readonly<Record<Archetype, Example>>>> = { de, en, es, fr, pt };

/**
 * The first question: instructions and a worked example, equal for every deck of a structure and a language so that
 * an endpoint can cache them, then the deck. Foreign text is in the last message only, as JSON values.
 */
export function firstMessages(request: PromptRequest): ChatMessage[] {
  const { app, material, brief, archetype, wanted, voice = [], avoidWords = [], before, lesson } = request;
  const { category, audiences, openings } = material;
  const [opening = null] = openings;
  const lines = material.lines
    .map(({ text }) => text)
    .filter(line => line !== opening)
    .slice(0, linesMax);
  const description = (app.description ?? app.summary ?? '').slice(0, descriptionMax);
  const notToBeSaid = listClaims(app.description ?? app.summary ?? '');
  const question = {
    deck: {
      structure: structures[archetype],
      bodySlides: wanted.plan.bodyCount,
      hooks: hooksWanted(wanted),
      ...(brief.ctaMode === 'none' ? { never: 'name the app outside ctaSoft' } : {}),
    },
    listing: {
      name: wanted.appName,
      category,
      // The storefront of most imports, whatever the language.
      ...(app.country === null || app.country === 'us' ? {} : { country: app.country }),
      opening,
      lines,
      audiences,
      ...(notToBeSaid.length > 0 ? { notToBeSaid } : {}),
      ...(lines.length === 0 ? { description } : {}),
    },
    brief: { topic: brief.topic ?? null, hook: brief.hook ?? null },
    ...(voice.length + avoidWords.length > 0 ? { brand: { voice, avoidWords } } : {}),
    ...(before?.decks.length || lesson?.best.length ? { before: toldOf(before, lesson) } : {}),
  };
  const example = (examples[material.language.slice(0, 2)] ?? en)[archetype];
  const shown = {
    ...example.question,
    deck: { ...(example.question.deck as object), structure: structures[archetype] },
  };
  return [
    { role: 'system', content: system },
    { role: 'user', content: JSON.stringify(shown) },
    { role: 'assistant', content: JSON.stringify(example.answer) },
    { role: 'user', content: JSON.stringify(question) },
  ];
}

const toldOf = (
  { decks, rejected }: EarlierDecks = { decks: [], rejected: [] },
  lesson: Lesson | undefined,
) => ({
  hooks: decks.slice(0, hooksShown).map(({ lines: [hook] }) => hook),
  rejected,
  ...(lesson && { best: lesson.best.map(viewed), worst: lesson.worst.map(viewed) }),
});

const viewed = ({ value: hook, views, decks }: LearnedHook) => ({ hook, views, decks });

/** Sentences of a listing that nobody can check, which a model must not repeat. */
function listClaims(description: string): string[] {
  return description
    .split('\n')
    .flatMap(splitSentences)
    .filter(sentence => sentence.length <= 200 && hasClaim(sentence))
    .slice(0, claimsMax);
}

function hooksWanted({ hasHook, isCounted, plan: { bodyCount } }: DeckWanted): string {
  if (hasHook) return 'none: brief.hook is the hook, and the slides keep what it promises';
  return isCounted
    ? `five, each promising exactly ${bodyCount} things with the digit ${bodyCount}`
    : `five; a hook may promise a number only if it is ${bodyCount}`;
}

/** The follow-up: the previous answer, the rules it broke, and the parts to write again. */
export function repairMessages(
  first: readonly ChatMessage[],
  answer: string,
  broken: readonly BrokenRule[],
  fields: readonly string[],
): ChatMessage[] {
  const named = broken
    .slice(0, rulesNamed)
    .map(
      ({ where, rule, found }) =>
        `- ${where} ${rule}${found === undefined ? '' : `; found ${JSON.stringify(found)}`}`,
    );
  return [
    ...first,
    { role: 'assistant', content: answer.slice(0, 20_000) },
    {
      role: 'user',
      content: repair.replace('{{broken}}', () => named.join('\n')).replace('{{fields}}', fields.join(', ')),
    },
  ];
}

/** The schema in words, for an endpoint that does not take it or does not keep to it. */
export function withSchema(messages: readonly ChatMessage[], schema: object): ChatMessage[] {
  const words = spelledOut.replace('{{schema}}', () => JSON.stringify(schema));
  return messages.map((message, i) =>
    i === 0 ? { ...message, content: `${message.content}\n\n${words}` } : message,
  );
}

const runLength = 6;
const wordsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[\p{L}\p{N}']+/gu) ?? [];
const runsOf = (text: string): string[] => {
  const words = wordsIn(text);
  return words.slice(runLength - 1).map((_, i) => words.slice(i, i + runLength).join(' '));
};
const textsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object'
      ? Object.values(value ?? {}).flatMap(textsOf)
      : [];
const written = Object.values(examples).flatMap(of =>
  Object.values(of).flatMap(({ answer }) => textsOf(answer)),
);
const promptRuns = new Set([...system.split('\n'), ...Object.values(structures), ...written].flatMap(runsOf));

/** True for a text that repeats six words in a row of the instructions or of an example. */
export function isParroted(text: string): boolean {
  return runsOf(text).some(run => promptRuns.has(run));
}
