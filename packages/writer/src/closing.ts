import type { CtaMode, SeededRandom } from '@hookline/deck';
import { contentWordsOf } from './distinct.ts';
import { type Filled, fillLine, fillLines, type Slots } from './lines.ts';
import type { Material } from './listing/material.ts';
import { readPeople, type Subject } from './subject.ts';
import { findBrand, hasBannedPhrase, isForeignBrand } from './text-filters.ts';

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

/**
 * The soft line names the app once: with a line of its listing that has words of the topic, with its opening
 * line, with another line that no slide shows, or with what it is.
 */
export function writeSoftLine(request: ClosingRequest): string {
  const { lines } = request.subject;
  const slots = appSlots(request);
  const named = request.subject.isKindTold && !nameIsKind(request) ? [lines.soft.for, lines.soft.kind] : [];
  return choose(
    request,
    slots,
    lines.soft,
    [...named, lines.soft.name].map(texts => fillLines(texts, slots)),
    softWordsMax,
  );
}

/** The direct line: one verb, one object. */
export function writeDirectLine(request: ClosingRequest): string {
  const { lines } = request.subject;
  const slots = appSlots(request);
  const store = storeLine(request);
  const kind = request.subject.isKindTold && !nameIsKind(request) ? fillLines(lines.direct.kind, slots) : [];
  const stored = store ? [{ text: store, template: store }] : [];
  return choose(
    request,
    slots,
    lines.direct,
    [[...kind, ...stored], fillLines(lines.direct.name, slots)],
    directWordsMax,
  );
}

/** The first pool that has a good line; the last one always fits. */
function choose(
  request: ClosingRequest,
  slots: Slots,
  frames: { line: readonly string[]; pitch: readonly string[] },
  named: Filled[][],
  wordsMax: number,
): string {
  const { random, subject, avoided } = request;
  const { shared, others } = listQuotes(request);
  const quote = (texts: readonly string[]) =>
    texts.flatMap(line => fillLines(frames.line, { ...slots, line }));
  const pitch = pitchOf(request, frames.pitch);
  const isGood = ({ text }: Filled) =>
    text.split(/\s+/).length <= wordsMax && text.length <= lineMax && !hasBannedPhrase(text);
  const isApp = subject.form === 'kind';
  // A deck about the app has its lines on the slides; the opening line is what they have in common.
  const quoted = isApp ? [[...pitch, ...pitch, ...quote(others)]] : [quote(shared), pitch, quote(others)];
  const pools = [...quoted, ...named];
  const allowed = pools.map(pool => pool.filter(line => isGood(line) && !avoided.test(line.text)));
  const whole = named.flat().filter(isGood);
  return random.pick([...allowed, whole].find(pool => pool.length > 0) ?? named.flat()).text;
}

/**
 * The listing's opening line behind the app's name, or as it is where it names the app; not if the deck shows
 * it.
 */
function pitchOf({ material, language, bodies, hook }: ClosingRequest, frames: readonly string[]): Filled[] {
  const { pitch, name } = material;
  if (pitch === null || material.language !== language) return [];
  if ([hook, ...bodies].some(text => text.includes(pitch))) return [];
  const isNaming = pitch.toLowerCase().startsWith(name.short.toLowerCase());
  if (isNaming) return [{ text: `${pitch}.`, template: '{pitch}.' }];
  return pitch.toLowerCase().includes(name.short.toLowerCase())
    ? []
    : fillLines(frames, { app: name.short, pitch });
}

/** "Allotment Diary, an allotment diary" says nothing twice. */
const nameIsKind = ({ material, subject }: ClosingRequest) =>
  material.name.short.toLowerCase().includes(subject.kind.kind.toLowerCase());

function appSlots({ subject, material, language }: ClosingRequest): Slots {
  const aud = readPeople(material, language)[0];
  return { app: material.name.short, ...subject.kind, aud };
}

/** Lines that no slide shows, apart by whether they share a word with the topic. */
function listQuotes({ material, language, bodies, subject, hook }: ClosingRequest): {
  shared: string[];
  others: string[];
} {
  if (material.language !== language) return { shared: [], others: [] };
  const shown = bodies.join('\n');
  const wanted = contentWordsOf(`${hook} ${subject.title ?? ''} ${subject.slots.about ?? ''}`);
  const fits = (text: string) => [...contentWordsOf(text)].some(word => word.length >= 4 && wanted.has(word));
  const unseen = material.features
    .map(({ text }) => text.replace(/(?<!\b[ap]\.m)[.!?]$/, ''))
    .filter(text => !shown.includes(text) && text.split(' ').length >= 3);
  const isApp = subject.form === 'kind';
  return { shared: unseen.filter(text => !isApp && fits(text)), others: unseen };
}

/**
 * The caption: a question about the subject. Names the app only with `direct`, where the deck names it
 * anyway.
 */
export function writeCaption(request: ClosingRequest): string {
  const { subject, ctaMode, avoided, random } = request;
  const { captions } = subject.lines;
  const isApp = subject.form === 'kind';
  // A store category ("utility app") is nothing that anybody looks for.
  const told = captions.kind.filter(text => subject.isKindTold || !/\{\w*kind\}/.test(text));
  const all = fillLines(isApp ? told : captions.topic, subject.slots);
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
 * Three to five hashtags without an avoided word, each about the topic, the app, its audience or its store
 * category; never another product's, and the brand only where the deck names it. Tags that fit every deck are
 * used where the rest are fewer than three.
 */
export function writeHashtags({
  subject,
  material,
  language,
  ctaMode,
  avoided,
}: Pick<ClosingRequest, 'subject' | 'material' | 'language' | 'ctaMode' | 'avoided'>): string[] {
  const brand = toTag(material.name.short);
  const isNamed = ctaMode !== 'none' && isTag(brand) && /\p{L}/u.test(brand);
  const isOwn = (text: string) => {
    const other = findBrand(text);
    return other === null || material.name.short.includes(other);
  };
  // The kind is in lower case, where a brand is not seen.
  const kind = subject.isKindTold && isOwn(material.name.tagline ?? '') ? [subject.kind.kind] : [];
  const short = readPeople(material, language).filter(group => group.split(' ').length <= 2);
  const own = [
    ...(subject.form === 'kind' ? [] : listTopicParts(subject, language)),
    ...(subject.form === 'kind' || subject.isNearApp ? kind : []),
    ...(subject.form === 'kind' ? short.slice(0, 2) : []),
  ];
  const spare = [...kind, ...(language === 'en' ? [categoryOf(material)] : []), ...short.slice(0, 1)];
  const isShown = (tag: string) =>
    isTag(tag) &&
    !avoided.test(tag) &&
    !isForeignBrand(tag, material.name.short) &&
    (ctaMode !== 'none' || !tag.includes(brand.slice(1)));
  const tags = [...new Set(own.filter(isOwn).map(toTag).filter(isShown))].slice(0, tagsMax - 1);
  const wanted = isNamed ? tagsMin - 1 : tagsMin;
  for (const tag of [...spare.filter(isOwn).map(toTag), ...subject.lines.hashtags]) {
    if (tags.length < wanted && isShown(tag) && !tags.includes(tag)) tags.push(tag);
  }
  if (isNamed && !avoided.test(brand) && !tags.includes(brand)) tags.push(brand);
  return tags;
}

const tagsMin = 3;
const tagsMax = 5;

/**
 * The parts of a topic between prepositions; a how-to without its verb where something is left ("pay off
 * student loans"). A German one ends in its verb and keeps it.
 */
function listTopicParts({ title, slots, form }: Subject, language: string): string[] {
  const text = (title ?? String(slots.told ?? '')).replace(/^(?:how to|wie man|cómo) /iu, '');
  const parts = text
    .split(
      /[,:;?]|(?<!\p{L})(?:for|in|at|by|of|to|from|with|without|under|after|before|vs|or|and|the|on|your|are|is|do|does|why|what|für|bei|und|oder|mit|im|ohne|warum|para|con|de|en|y|o|sin|al|los|las|el|la|por qué)(?!\p{L})/iu,
    )
    .map(part => part.trim())
    .filter(Boolean);
  const isVerb = (part: string, i: number) => form === 'howTo' && i < parts.length - 1 && !part.includes(' ');
  const rest = parts.filter((part, i) => !isVerb(part, i)).slice(0, 3);
  const [first, ...others] = rest;
  // "how to do without" has no parts.
  if (first === undefined || form !== 'howTo' || language === 'de' || first !== parts[0]) return rest;
  return [first.replace(/^\p{L}+ (?:(?:off|up|out|down|away|over|back) )?(?=\p{L})/u, ''), ...others];
}

/** "Health & Fitness" and "FOOD_AND_DRINK" as words; none for categories that say nothing. */
function categoryOf({ category }: Material): string {
  const words = (category ?? '').toLowerCase().replace(/&/g, 'and').replace(/_/g, ' ').trim();
  return /^(?:tools|utilities|reference|lifestyle|business|games?|entertainment)?$/.test(words) ? '' : words;
}

const toTag = (text: string) =>
  `#${text
    .toLowerCase()
    .replace(/^\s*(?:an?|the|your|ein|eine|un|una|el|la|los|las)\s/, '')
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')}`;
const isTag = (tag: string) => /^#[\p{L}\p{M}\p{N}]{3,24}$/u.test(tag) && !/^#\d+$/.test(tag);
