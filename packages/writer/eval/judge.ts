import { findPromisedCount, planDeck } from '@hookline/deck';
import { composeWithTrace } from '../src/composer.ts';
import { contentWordsOf, openingOf, similarityMax, similarityOf } from '../src/distinct.ts';
import { chooseLanguage, getLines, type Lines } from '../src/lines.ts';
import { detectLanguage } from '../src/listing/language.ts';
import { extractMaterial } from '../src/listing/material.ts';
import type { WriteRequest, WrittenDeck } from '../src/port.ts';
import { hasBannedPhrase, hasClaim } from '../src/text-filters.ts';
import { upperFirst } from '../src/upper-first.ts';

/** The answer to one question of the judging table. `fault` describes the failure; null means it passed. */
export type Judgement = { question: number; about: string; fault: string | null };

/**
 * Answers the questions about a deck's texts that a script can answer (docs/writing.md, "How a deck is
 * judged"). Pictures are judged where they are drawn.
 */
export function judgeDeck(request: WriteRequest, deck: WrittenDeck): Judgement[] {
  const view = viewOf(request, deck);
  return questions.map(({ number, about, ask }) => ({ question: number, about, fault: ask(view) }));
}

type View = ReturnType<typeof viewOf>;

function viewOf(request: WriteRequest, deck: WrittenDeck) {
  const { result } = deck;
  const material = extractMaterial(request.app);
  const language = chooseLanguage(material.language);
  const bodies = result.bodySlides.map(slide => slide.text);
  const { subject } = composeWithTrace(request);
  const closing = { soft: [result.ctaSoft], direct: [result.ctaHard], none: [] }[deck.ctaMode];
  return {
    request,
    deck,
    result,
    bodies,
    material,
    language,
    subject,
    /** What the deck is about, in every form its sentences use; longest first. */
    about: Object.values(subject.slots)
      .map(String)
      .filter(slot => slot.length > 4)
      .toSorted((one, other) => other.length - one.length),
    isGiven: request.brief.hook !== undefined,
    /** Every text on the slides. */
    slides: [result.hook, ...bodies, ...closing],
    generated: [
      ...(request.brief.hook === undefined ? result.hookOptions : []),
      ...bodies,
      result.ctaSoft,
      result.ctaHard,
      result.caption,
    ],
  };
}

const wordsOf = (text: string) => text.split(/\s+/).length;
const firstWith = (texts: readonly string[], isFaulty: (text: string) => boolean) => {
  const found = texts.find(isFaulty);
  return found === undefined ? null : `"${found}"`;
};

const questions: { number: number; about: string; ask: (view: View) => string | null }[] = [
  { number: 1, about: 'as many advice slides as promised', ask: askCount },
  { number: 2, about: 'hook of 3 to 14 words, at most 80 characters', ask: askHookMeasure },
  { number: 3, about: 'hook holds something concrete', ask: askAnchor },
  {
    number: 5,
    about: 'every body slide is a sentence of the data file or a line of the listing',
    ask: askSource,
  },
  { number: 5, about: 'the closing lines promise nothing the listing does not have', ask: askPromise },
  {
    number: 6,
    about: 'nothing banned or claimed',
    ask: ({ generated, about }) =>
      firstWith(generated, text => hasBannedPhrase(text) || hasClaim(withoutTopic(text, about))),
  },
  { number: 7, about: 'no two body slides alike', ask: askAlike },
  { number: 8, about: 'whole sentences, no hole, no double space', ask: askWhole },
  {
    number: 11,
    about: 'a body slide of 3 to 32 words, at most 180 characters',
    ask: ({ bodies }) =>
      firstWith(bodies, text => wordsOf(text) < 3 || wordsOf(text) > 32 || text.length > 180),
  },
  {
    number: 12,
    about: 'nobody says I',
    // A question quoted from the listing ("Was koche ich heute?") is in the reader's voice.
    ask: ({ generated, language, request }) =>
      firstWith(
        generated.filter(text => !request.app.description?.includes(text)),
        text => firstPerson[language as keyof typeof firstPerson].test(unquoted(text)),
      ),
  },
  { number: 14, about: 'the closing fits the mode', ask: askClosing },
  { number: 15, about: 'caption and hashtags', ask: askCaption },
  { number: 16, about: 'one language', ask: askLanguage },
];

function askCount({ deck, request, bodies, result, isGiven }: View): string | null {
  const plan = planDeck(request.brief);
  if (bodies.length !== plan.bodyCount) return `${bodies.length} body slides, planned ${plan.bodyCount}`;
  if (isGiven) return result.hook === request.brief.hook ? null : 'the given hook was changed';
  if (result.hookOptions[0] !== result.hook) return 'the chosen hook is not the first option';
  const wrong = result.hookOptions.find(option => {
    const promised = findPromisedCount(option);
    return promised !== null && promised !== bodies.length;
  });
  if (wrong) return `"${wrong}" with ${bodies.length} slides`;
  const isList = deck.archetype === 'listicle' && bodies.length >= 2;
  return isList && findPromisedCount(result.hook) === null ? `list without a count: "${result.hook}"` : null;
}

function askHookMeasure({ result, isGiven }: View): string | null {
  if (isGiven) return null;
  const { hookOptions } = result;
  if (hookOptions.length < 3 || hookOptions.length > 5) return `${hookOptions.length} options`;
  if (new Set(hookOptions).size < hookOptions.length) return 'options repeat';
  return firstWith(hookOptions, hook => wordsOf(hook) < 3 || wordsOf(hook) > 14 || hook.length > 80);
}

/** A word from the topic or the listing, a number, or what the app is. */
function askAnchor({ result, material, subject, isGiven }: View): string | null {
  if (isGiven || /\d|^POV/.test(result.hook)) return null;
  const known = contentWordsOf(`${material.haystack} ${subject.title ?? ''} ${subject.kind.kind}`);
  const isAnchored = [...contentWordsOf(result.hook)].some(word => known.has(word));
  return isAnchored || subject.form === 'statement' ? null : `"${result.hook}"`;
}

/** True when the hook shares a word with the listing: the narrow reading of question 3. */
export function isHookFromListing(request: WriteRequest, hook: string): boolean {
  const words = contentWordsOf(extractMaterial(request.app).haystack);
  return [...contentWordsOf(hook)].some(word => words.has(word));
}

/**
 * Every slide is a sentence of the language's file with its slots filled, or has a line of the listing in it.
 */
function askSource({ bodies, material, language }: View): string | null {
  const patterns = patternsOf(language);
  const lines = [...material.features.map(({ text }) => text), ...material.sentences].map(line =>
    line.replace(/[.!?]$/, ''),
  );
  return firstWith(
    bodies,
    body => !lines.some(line => body.includes(line)) && !patterns.some(pattern => pattern.test(body)),
  );
}

const knownPatterns = new Map<string, RegExp[]>();

function patternsOf(language: string): RegExp[] {
  const patterns = knownPatterns.get(language) ?? textsOfLines(getLines(language)).map(toPattern);
  knownPatterns.set(language, patterns);
  return patterns;
}

/** Every sentence of a language that can be a slide, except the frames of the listing's lines. */
export function textsOfLines({ forms, fields, any, told, archetypes, kind }: Lines): string[] {
  const { points, forPeople, ...shapes } = kind;
  const ofShapes = [...Object.values(archetypes), ...Object.values(shapes)].flatMap(
    ({ open, steps, close }) => [...open, ...steps, ...close],
  );
  const ofFields = Object.values(fields).flatMap(field => field.lines);
  return [
    ...Object.values(forms).flat(),
    ...new Set(ofFields),
    ...any,
    ...told,
    ...ofShapes,
    ...points,
    ...forPeople,
  ];
}

function toPattern(text: string): RegExp {
  const parts = text.split(/\{\w+\}/).map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  // A field's sentence may come after the topic ("To clean old records, …"), and then begins with a small
  // letter.
  return new RegExp(`^(?:.+, )?${parts.join('.+')}$`, 'iu');
}

/**
 * What is said about the app beyond its name and its store is a line of its listing
 * or what kind of app it is.
 */
function askPromise({ result, material, subject }: View): string | null {
  const lines = [...material.features.map(({ text }) => text), material.pitch ?? ''].map(line =>
    line.replace(/[.!?]$/, ''),
  );
  const isBacked = (text: string) =>
    text.includes(subject.kind.kind) ||
    lines.some(line => line !== '' && text.includes(line)) ||
    text.replace(material.name.short, '').split(' ').length <= 7;
  return firstWith([result.ctaSoft, result.ctaHard], text => !isBacked(text));
}

const withoutTopic = (text: string, about: readonly string[]) =>
  about.reduce((rest, slot) => rest.replaceAll(slot, '').replaceAll(upperFirst(slot), ''), text);

function askAlike({ bodies, about }: View): string | null {
  // What the deck is about is in most of its sentences; the rest of each must differ.
  const told = (text: string) => withoutTopic(text, about);
  for (const [i, one] of bodies.entries()) {
    for (const other of bodies.slice(i + 1)) {
      // A long list may fall back on advice that shares words, but never on advice that says the same thing.
      const limit = bodies.length > 12 ? 0.6 : similarityMax;
      if (similarityOf(told(one), told(other)) >= limit) return `"${one}" and "${other}"`;
    }
    const next = bodies[i + 1];
    const isClock = /^\d/.test(one);
    if (next !== undefined && !isClock && openingOf(one) === openingOf(next))
      return `"${one}" before "${next}"`;
  }
  return null;
}

const broken = /[{}]| {2}|undefined|\bnull\b|\(\(|(?<!\p{L})(\p{L}{2,}) \1(?!\p{L})/iu;
const wrongArticle = /(?<!:)\b1 \w+s\b|\ba (?!one\b|once\b|eu)[aeio]\w|\ban [bcdfgjklmnpqrstvwxz]\w/i;

function askWhole({ generated, bodies, result, language }: View): string | null {
  return (
    firstWith(
      [...bodies, result.ctaSoft, result.ctaHard, result.caption],
      text => !/[.!?]["”]?$/.test(text),
    ) ?? firstWith(generated, text => broken.test(text) || (language === 'en' && wrongArticle.test(text)))
  );
}

const firstPerson = {
  en: /\b(?:I|I'm|I've|my|mine)\b/,
  de: /(?<!\p{L})(?:ich|mein|meine|meinen|mir|mich)(?!\p{L})/iu,
  es: /(?<!\p{L})(?:yo|mi|mis|mío)(?!\p{L})/iu,
};

/** The text without quotations: what a character in a scene says is not judged. */
const unquoted = (text: string) => text.replace(/["“„][^"”“]*["”“]/g, '');

function askClosing({ deck, result, material, slides }: View): string | null {
  const name = material.name.short.toLowerCase();
  if (deck.ctaMode === 'none') {
    return firstWith([...slides, result.caption], text => text.toLowerCase().includes(name));
  }
  const line = deck.ctaMode === 'soft' ? result.ctaSoft : result.ctaHard;
  if (!line.toLowerCase().includes(name)) return `no app in "${line}"`;
  const max = deck.ctaMode === 'soft' ? 24 : 14;
  return wordsOf(line) > max ? `"${line}"` : null;
}

function askCaption({ result, deck }: View): string | null {
  const { caption, hashtags, hook } = result;
  if (caption === hook || caption.length < 60 || caption.length > 400) return `"${caption}"`;
  if (hashtags.length < 3 || hashtags.length > 5) return `${hashtags.length} hashtags`;
  if (new Set(hashtags.map(tag => tag.toLowerCase())).size < hashtags.length) return 'a hashtag twice';
  if (caption.length + 2 + hashtags.join(' ').length > 4000) return 'description over 4,000 units';
  const invalid = firstWith(hashtags, tag => !/^#[\p{L}\p{N}\p{M}_]{2,30}$/u.test(tag));
  return invalid ?? (deck.ctaMode === 'none' && /#$/.test(caption) ? 'hashtag in the caption' : null);
}

function askLanguage({ deck, language, bodies }: View): string | null {
  if (deck.language !== language) return `${deck.language}, expected ${language}`;
  const text = bodies.join(' ');
  if (text.length < 120) return null;
  // Quoted lines may have few of the words that tell a language; then the expected one is right.
  const found = detectLanguage(text, language);
  return found === language ? null : `reads as ${found}`;
}
