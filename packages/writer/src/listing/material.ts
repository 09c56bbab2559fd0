import { createRecall } from '@hookline/shared/kernel';
import { hasClaim } from '../text-filters.ts';
import { readAudiences } from './audiences.ts';
import { detectLanguage } from './language.ts';
import { readMarkup, splitSentences } from './line-text.ts';
import { countBroken } from './mistakes.ts';
import { listCovers, readOpenings } from './openings.ts';
import { endsOpen, isShortOf, isSkipped, namesApp, type Reading } from './phrasing.ts';
import { type ListingLine, readLine } from './prose.ts';
import { type Line, readLines } from './sections.ts';
import { type AppName, shortenName } from './short-name.ts';
import { correctSpelling } from './spelling.ts';

/** The parts of a listing that texts are made from. */
export type Material = {
  name: AppName;
  language: string;
  /** Lower-case name, description and category; topics are matched against it. */
  haystack: string;
  category: string | null;
  store: 'apple' | 'google' | null;
  /** What the listing says first, where it can be a cover. */
  openings: string[];
  /** All lines that can be a cover and promise no number, those of the opening first. */
  covers: string[];
  /** The lines of the listing that can stand on a slide, in its order, without claims. */
  lines: (ListingLine & {
    /** One of the first sentences of the listing, which say what the app does. */
    isPitch: boolean;
  })[];
  audiences: string[];
};
export type MaterialSource = {
  name: string;
  description: string | null;
  summary?: string | null;
  category: string | null;
  country: string | null;
  store: 'apple' | 'google' | null;
  /** Primary subtag of a language that a person named; without it the texts show the language. */
  language?: string | null;
};

/** Reads a listing by lines; sections about the contract, the press and the last release are skipped. */
export function extractMaterial({ name, description, summary, ...rest }: MaterialSource): Material {
  const { category, country, store, language } = rest;
  const key = JSON.stringify([name, description, summary, category, country, store, language]);
  // Patterns know "é" as one letter, and so do those who search for a hashtag.
  const composed = (text?: string | null) => text?.normalize('NFC') ?? null;
  return recallMaterial(key, () =>
    readMaterial({
      ...rest,
      name: name.normalize('NFC'),
      description: composed(description),
      summary: composed(summary),
    }),
  );
}

// An app gets many decks. This many listings take a few MB.
const recallMaterial = createRecall<Material>(300);
const linesMax = 40;
/** A listing with fewer lines, or whose first sentences do not say what the app does, also uses the store's short description. */
const linesMin = 3;
const pitchMax = 2;
/** In a listing without lists, prose past this share of its lines counts as its end. */
const proseShare = 0.6;

function readMaterial(source: MaterialSource): Material {
  const { short: shortName, tagline } = shortenName(source.name);
  const name = { short: shortName, tagline: tagline !== null && hasClaim(tagline) ? null : tagline };
  const written = readMarkup(source.description || source.summary || '');
  const language =
    source.language ?? detectLanguage(written.replace(/https?:\S+/g, '') || source.name, source.country);
  const text = correctSpelling(written, language, source.name);
  const read: Reading = {
    name: spokenName(name.short, text),
    language,
    isFormal: isFormal(text, language),
    acronyms: listAcronyms(text, source.name),
  };
  const broken =
    (/^(?:de|en)$/.test(language) ? countBroken(text, read) : 0) +
    Number(language === 'en' && keywords.test(name.short));
  if (broken > 0) read.itemMax = 4;
  const all = readLines(text, read.name);
  // "Gym workout at home" is no line of a Hindi listing.
  const isLatin = (text.match(/\p{sc=Latn}/gu)?.length ?? 0) * 2 > (text.match(/\p{L}/gu)?.length ?? 0);
  const lines = all.filter(line =>
    (isLatin ? /[\p{sc=Latn}\d]/u : /[^\P{L}\p{sc=Latn}]|\d/u).test(line.text),
  );
  const firstItem = lines.findIndex(({ mark, isFirst }) => mark === 'bullet' && !isFirst);
  const readAll = (isWhole: boolean, by: Reading) =>
    lines.flatMap((line, i) => {
      const isEarly = firstItem === -1 || i < firstItem;
      const isPitch = isEarly && line.section === 'intro' && line.mark === null;
      if (!isWhole && isClosing(lines, i, firstItem)) return [];
      // An answer whose question is no heading would stand without it.
      const asked = lines[i - 1];
      const isAnswer =
        !line.isAfterGap && line.mark === null && asked?.isFirst === false && /[?？]$/u.test(asked.text);
      return isAnswer && !namesApp(line.text, read)
        ? []
        : readLine(line, by).map(one => ({ ...one, isPitch: isPitch && one.rank < 4 }));
    });
  const strict = readAll(false, read);
  const by = strict.length < linesMin ? { ...read, itemMax: broken > 1 ? 10 : undefined } : read;
  const sound = by === read ? strict : readAll(false, by);
  const found = sound.length > 0 ? sound : readAll(true, { ...by, itemMax: undefined });
  for (const one of found.filter(({ isPitch }) => isPitch).slice(pitchMax)) one.isPitch = false;
  const summary = correctSpelling(readMarkup(source.summary ?? ''), language, source.name).trim();
  const short = isCut(summary, text) ? '' : summary;
  const isSaid = found.some(({ isPitch, text: one }) => isPitch && !isShortOf(one));
  if (source.description && (!isSaid || found.length < linesMin)) {
    const [line] = readLines(short, read.name);
    const told = line ? readLine(line, read).map(one => ({ ...one, isPitch: !isSaid })) : [];
    found.splice(isSaid ? found.length : 0, 0, ...told);
  }
  const isNew = ({ text: one }: ListingLine, i: number) => found.findIndex(other => other.text === one) === i;
  const openings = readOpenings(lines, short, source.name, by);
  const chosen = found.filter(isNew).slice(0, linesMax);
  return {
    name,
    language,
    haystack:
      `${source.name} ${source.description ?? ''} ${source.summary ?? ''} ${source.category ?? ''}`.toLowerCase(),
    category: source.category,
    store: source.store,
    openings,
    covers: listCovers(openings, name, chosen),
    lines: chosen,
    audiences: listAudiences(lines, read),
  };
}

/**
 * Prices, privacy, news and thanks end a listing: lines without a mark or a heading behind the first list, or in the last
 * part of one without lists. A line near two of its kind is one of a list.
 */
function isClosing(lines: readonly Line[], i: number, firstItem: number): boolean {
  const { mark, label } = lines[i]!;
  const start = firstItem === -1 ? Math.max(3, lines.length * proseShare) : firstItem;
  const kind = kindOf(lines[i]!);
  const alike = lines.slice(Math.max(0, i - 2), i + 3).filter(line => kindOf(line) === kind);
  const isListed = kind !== null && alike.length >= 3;
  return i >= start && mark === null && label === null && !isListed;
}

function kindOf(line: Line): string | null {
  if (/^[^.!?:]{2,30}\s?: /u.test(line.text)) return 'label';
  if (/^[^.!?]+[?？]\s/u.test(line.text)) return 'question';
  return line.mark !== null || endsOpen(line) ? null : 'item';
}

/** "Volume Booster Max Sound Speaker Louder": who fills a name so seldom writes sentences. */
const keywords = /^(?:[\p{Lu}\d][^\s&,]*(?: |$)){5,}$/u;

/** Returns the name as the listing uses it: "Aurabook" for "Aurabook Migraine Log", "Goose" for "Grocery Goose". */
function spokenName(name: string, text: string): string {
  const has = (word: string) => new RegExp(`(?<!\\p{L})${RegExp.escape(word)}(?!\\p{L})`, 'u').test(text);
  const words = name.split(' ');
  const prefixes = words.map((_, i) => words.slice(0, words.length - i).join(' '));
  // "O CACHO PLAN organiza" of "Cacho Plan Cronograma Capilar"
  const prefix = prefixes.find(one => has(one) || (/ \p{Lu}\S*$/u.test(one) && has(one.toUpperCase())));
  if (prefix?.includes(' ')) return prefix;
  const parts = has(name) ? [] : (name.match(/^\p{Lu}\p{L}{3,}(?= )|(?<= )\p{Lu}\p{L}{3,}$/gu) ?? []);
  return parts.find(word => has(word) && !has(word.toLowerCase())) ?? name;
}

/** "… cartes et choix d'itinér." in the 80 characters that a store gives */
function isCut(summary: string, text: string): boolean {
  const [, word] = /(?<!\p{L})(\p{L}{4,})\.?$/u.exec(summary) ?? [];
  if (word === undefined || summary.length < 70) return false;
  const has = (end: string) => new RegExp(`(?<!\\p{L})${word}${end}`, 'iu').test(text);
  return has('\\p{L}{3}') && !has('(?!\\p{L})');
}

/** "DAS" of "a guia DAS", not "NOT" where the listing has "not" too, but "CACES" of "Quiz CACES R489". */
function listAcronyms(text: string, name: string): string[] {
  const found = text.match(/(?<=\p{Ll} )\p{Lu}[\p{Lu}/&]{1,4}(?=[ ,.)])/gu) ?? [];
  const words = new Set(text.match(/\p{L}+/gu));
  const ofName = /\p{Ll}{2}/u.test(name) ? name.match(/(?<!\p{L})\p{Lu}[\p{Lu}/&]{1,4}(?!\p{L})/gu) : null;
  return [...found.filter(word => !words.has(word.toLowerCase())), ...(ofName ?? [])];
}

/** "Halten Sie fest, was Ihre Eltern brauchen" */
const isFormal = (text: string, language: string) =>
  language === 'de' &&
  /(?<=[\p{Ll},] )(?:Sie|Ihnen|Ihr(?:e[nmrs]?)?)(?!\p{L})|^Sie \p{Ll}+n(?!\p{L})/mu.test(text);

function listAudiences(lines: readonly Line[], read: Reading): string[] {
  const sentences = lines
    .filter(line => !isSkipped(line) && (line.mark === null || line.section === 'audience'))
    .flatMap(({ text }) => splitSentences(text))
    .filter(sentence => !hasClaim(sentence));
  const found = sentences.flatMap(sentence => readAudiences(sentence, read.language));
  // Where the app must stay unnamed, an audience that contains its name would reveal it.
  return [...new Set(found)].filter(group => !namesApp(group, read)).slice(0, 6);
}
