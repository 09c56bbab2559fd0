import type { CtaMode, SeededRandom } from '@hookline/deck';
import { contentWordsOf } from './distinct.ts';
import { type Filled, fillLine, fillLines } from './lines.ts';
import type { Material } from './listing/material.ts';
import { readPeople, type Subject } from './subject.ts';
import { hasBannedPhrase } from './text-filters.ts';

export type ClosingRequest = {
  subject: Subject;
  material: Material;
  language: string;
  bodies: readonly string[];
  hook: string;
  ctaMode: CtaMode;
  /** Matches the words that the brand avoids. A text has one only where each choice has. */
  avoided: RegExp;
  random: SeededRandom;
};

const softWordsMax = 24;
const directWordsMax = 14;
const lineMax = 120;

/** The soft line: names the app once, with a line of its listing that no slide shows, or with what it is. */
export function writeSoftLine(request: ClosingRequest): string {
  const { lines } = request.subject;
  const slots = appSlots(request);
  const named = nameIsKind(request)
    ? fillLines(lines.soft.name, slots)
    : [...fillLines(lines.soft.kind, slots), ...fillLines(lines.soft.for, slots)];
  const quoted = listQuotes(request).flatMap(line => fillLines(lines.soft.line, { ...slots, line }));
  return choose(request, quoted, named, softWordsMax);
}

/** The direct line: one verb, one object. */
export function writeDirectLine(request: ClosingRequest): string {
  const { lines } = request.subject;
  const slots = appSlots(request);
  const store = storeLine(request);
  const named = [
    ...fillLines(lines.direct.kind, slots),
    ...(store ? [{ text: store, template: store }] : []),
  ];
  const quoted = listQuotes(request).flatMap(line => fillLines(lines.direct.line, { ...slots, line }));
  return choose(request, quoted, named, directWordsMax);
}

/** A line of the listing if there is one; the name with what the app is always fits. */
function choose(
  { random, subject, avoided }: ClosingRequest,
  quoted: Filled[],
  named: Filled[],
  wordsMax: number,
): string {
  const isGood = ({ text }: Filled) =>
    text.split(/\s+/).length <= wordsMax && text.length <= lineMax && !hasBannedPhrase(text);
  const isQuoting = subject.form === 'kind' ? random.integer(1, 3) > 1 : true;
  const isAllowed = (line: Filled) => isGood(line) && !avoided.test(line.text);
  const pools = [isQuoting ? quoted.filter(isAllowed) : [], named.filter(isAllowed), named.filter(isGood)];
  return random.pick(pools.find(pool => pool.length > 0) ?? named).text;
}

/** "Allotment Diary, an allotment diary" says nothing twice. */
const nameIsKind = ({ material, subject }: ClosingRequest) =>
  material.name.short.toLowerCase().includes(subject.kind.kind.toLowerCase());

function appSlots({ subject, material, language }: ClosingRequest) {
  const aud = readPeople(material, language)[0];
  return { app: material.name.short, ...subject.kind, aud };
}

/** Lines that no slide shows; in a deck about a topic only those that share a word with it. */
function listQuotes({ material, language, bodies, subject, hook }: ClosingRequest): string[] {
  if (material.language !== language) return [];
  const shown = bodies.join('\n');
  const wanted = contentWordsOf(`${hook} ${subject.title ?? ''} ${subject.slots.about ?? ''}`);
  const fits = (text: string) =>
    subject.form === 'kind' || [...contentWordsOf(text)].some(word => word.length >= 4 && wanted.has(word));
  return material.features
    .map(({ text }) => text.replace(/[.!?]$/, ''))
    .filter(text => !shown.includes(text) && fits(text));
}

/**
 * The caption: a question about the subject. Names the app only with `direct`, where
 * the deck names it anyway.
 */
export function writeCaption(request: ClosingRequest): string {
  const { subject, ctaMode, avoided, random } = request;
  const { captions } = subject.lines;
  const all = fillLines(subject.form === 'kind' ? captions.kind : captions.topic, subject.slots);
  const allowed = all.filter(({ text }) => !avoided.test(text));
  const caption = random.pick(allowed.length > 0 ? allowed : all).text;
  const store = storeLine(request);
  return ctaMode === 'direct' && store && !avoided.test(store) ? `${caption} ${store}` : caption;
}

function storeLine({ material, subject: { lines } }: ClosingRequest): string | null {
  if (!material.store) return null;
  return fillLine(lines.direct.store, { app: material.name.short, store: lines.stores[material.store] });
}

/**
 * Up to 5 hashtags without an avoided word: the subject's, the audience's, plain ones, then the brand unless
 * the deck does not name it.
 */
export function writeHashtags({ subject, material, language, ctaMode, avoided }: ClosingRequest): string[] {
  const parts = (subject.title ?? String(subject.slots.told ?? ''))
    .split(
      /[,:;]|(?<!\p{L})(?:how to|for|in|of|to|with|without|vs|or|and|the|on|your|für|und|oder|mit|im|ohne|wie man|para|con|de|en|y|o|cómo|sin)(?!\p{L})/iu,
    )
    .slice(0, 4);
  const own = readPeople(material, language).slice(0, 2);
  const named = subject.form === 'kind' ? [subject.kind.kind, ...own] : parts;
  const tags = [...new Set([...named.map(toTag).filter(isTag).slice(0, 3), ...subject.lines.hashtags])].slice(
    0,
    4,
  );
  const brand = toTag(material.name.short);
  if (ctaMode !== 'none' && isTag(brand) && /\p{L}/u.test(brand)) tags.push(brand);
  const shown = ctaMode === 'none' ? tags.filter(tag => !tag.includes(brand.slice(1))) : tags;
  return [...new Set(shown)].filter(tag => !avoided.test(tag));
}

const toTag = (text: string) =>
  `#${text
    .toLowerCase()
    .replace(/^\s*(?:an?|the|your|ein|eine|un|una|el|la|los|las)\s/, '')
    .replace(/[^\p{L}\p{N}]/gu, '')}`;
const isTag = (tag: string) => /^#[\p{L}\p{N}]{3,24}$/u.test(tag) && !/^#\d+$/.test(tag);
