import { findPromisedCount } from '@hookline/deck';
import { createRecall } from '@hookline/shared/kernel';
import { hasBannedPhrase, hasClaim, isLegal } from '../text-filters.ts';
import { readAudiences } from './audiences.ts';
import { detectLanguage } from './language.ts';
import { abbreviated, readMarkup, splitSentences } from './line-text.ts';
import { type Line, readLines, type Section, sectionOf } from './sections.ts';
import { type AppName, shortenName } from './short-name.ts';

/** The parts of a listing that texts are made from. */
export type Material = {
  name: AppName;
  language: string;
  /** Lower-case name, description and category; topics are matched against it. */
  haystack: string;
  category: string | null;
  store: 'apple' | 'google' | null;
  /** Lines that can be a cover, the one that the listing opens with first. */
  openings: string[];
  /** Openings that may lean on the one before without a word that shows it. */
  seconds: string[];
  /** The lines of the listing that can stand on a slide, in its order, without claims. */
  lines: ListingLine[];
  audiences: string[];
};
/**
 * Marked lines come before prose, which reads like the advertisement it is; then what is short, a step of a series or
 * names the app; the later sentences of a paragraph come last.
 */
export type ListingLine = { text: string; rank: 0 | 1 | 2 | 3 };
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
export function extractMaterial(source: MaterialSource): Material {
  const { name, description, summary, category, country, store, language } = source;
  const key = JSON.stringify([name, description, summary, category, country, store, language]);
  return recallMaterial(key, () => readMaterial(source));
}

// An app gets many decks. This many listings take a few MB.
const recallMaterial = createRecall<Material>(300);
const linesMax = 40;
const openingsMax = 6;

function readMaterial(source: MaterialSource): Material {
  const name = shortenName(source.name);
  const text = readMarkup(source.description || source.summary || '');
  const language =
    source.language ?? detectLanguage(text.replace(/https?:\S+/g, '') || source.name, source.country);
  const read: Reading = { name: name.short, language, isFormal: isFormal(text, language) };
  // German writes its nouns with a capital.
  const lines = readLines(language === 'de' ? text : text.replace(shoutedLead, '$1:'), name.short);
  const found = lines.flatMap(line => readLine(line, read));
  const short = readMarkup(source.summary ?? '').trim();
  const isNew = ({ text: one }: ListingLine, i: number) => found.findIndex(other => other.text === one) === i;
  return {
    name,
    language,
    haystack:
      `${source.name} ${source.description ?? ''} ${source.summary ?? ''} ${source.category ?? ''}`.toLowerCase(),
    category: source.category,
    store: source.store,
    ...readOpenings(lines, short, source.name, read),
    lines: found.filter(isNew).slice(0, linesMax),
    audiences: listAudiences(lines, read),
  };
}

type Reading = { name: string; language: string; isFormal?: boolean };

/** "Halten Sie fest, was Ihre Eltern brauchen" */
const isFormal = (text: string, language: string) =>
  language === 'de' && /(?<=[\p{Ll},] )(?:Sie|Ihnen|Ihr(?:e[nmrs]?)?)(?!\p{L})/u.test(text);

/** "BREW Scan the tin, pick the cup, press start." */
const shoutedLead = /^(\P{L}{0,4}\p{Lu}{4,}(?: \p{Lu}{3,}){0,2})(?= \p{Lu}\p{Ll}.*[.!?]$)/gmu;

const namesApp = (text: string, { name }: Reading) =>
  new RegExp(`(?<!\\p{L})${RegExp.escape(name)}(?!\\p{L})`, 'iu').test(text);
/** Characters of Chinese, Japanese, Korean and Thai say what two or three letters do. */
const dense = /[\p{sc=Hira}\p{sc=Kana}\p{sc=Han}\p{sc=Hang}\p{sc=Thai}]/gu;
const lengthOf = (text: string) => text.length + (text.match(dense)?.length ?? 0);
const wordsOf = (text: string) =>
  text.split(/\s+/u).length + Math.floor((text.match(dense)?.length ?? 0) / 4);

const slideMax = 160;
const openingMax = 110;
/** Characters of a line that is short enough for a cover. */
export const coverMax = 90;

const isSkipped = ({ section, text }: Line) => section === 'legal' || section === 'praise' || isPraise(text);
const isUsable = (text: string) => !hasClaim(text) && !isLegal(text) && !isKeywords(text);
/** "Cleaner 💥 Finder 💥 Remover", "Ages 2-5 | Ages 6-8 | Ages 9-12" */
const isKeywords = (text: string) =>
  text.split(' | ').length > 2 ||
  (text.match(/(?<=\S\s*)\p{Extended_Pictographic}(?=\ufe0f?\s*\S)/gu)?.length ?? 0) > 1;

/** A quotation with nothing behind it but a name. */
function isPraise(text: string): boolean {
  const [, rest] = /^["“„«「][^"”“»」]{3,}["”“»」]\s*(.*)$/u.exec(text) ?? [];
  return (
    rest !== undefined && /^(?:$|[–—~-]|\(|\p{Lu}\p{L}*$)/u.test(rest) && !/[?？]\s?["”“»」]$/u.test(text)
  );
}

/** "… and much more" */
const rest =
  /^(?:…|\.{3})?\s*(?:(?:and|plus) )?(?:(?:so|and) )?(?:(?:much|many|lots|a lot) )?more(?:[ !.…]|$)|^(?:…|\.{3})?\s*(?:und )?vieles mehr|^\S{0,3} ?(?:y )?much[oa]s? más|^(?:et )?(?:bien|beaucoup) (?:plus|d['’]autres)|^e muito mais|^e (?:molto|tanto) altro|^など/iu;

/** A sentence that begins with one of these needs the one before it. */
const leaning: Words = {
  en: 'it|its|they|their|that|this|these|those|he|she|and|but|or|so|then|also|plus|yes|there|perhaps|maybe|instead(?! of)|otherwise|neither|nor|(?:first|second|third|finally)(?=,)|(?:the|all|everything) (?:rest|same|else)',
  // "Das große Heft", "Es gibt"
  de: 'er|sie|es(?! (?:gibt|geht|ist|war)\\b)|das(?! (?:\\p{L}+e )?(?-i:\\p{Lu}))|dies|dieser|diese|dieses|damit|dabei|dafür|dazu|danach|dadurch|davon|daraus|darin|darauf|dort|deshalb|darum|daher|deswegen|stattdessen|sonst|trotzdem|denn|doch|so|dann|und|aber|oder|auch|außerdem|erstens|zweitens|drittens|zuerst(?=,)',
  es: 'y|pero|o|así|est[ae](?! (?:noche|semana|año|mes))|esto|estos|estas|ese|esa|eso|además|también|luego|después(?! de)|por eso|entonces|ahí|allí|(?:primero|segundo|en (?:primer|segundo) lugar)(?=,)',
  fr: "et|mais|ou|cela|ceci|ça|c['’]est|ce(?! qu)|ces|cette(?! (?:nuit|semaine|année))|il(?! (?:faut|suffit|pleut|y a))|elle|ils|elles|puis|aussi|alors|donc|ensuite|ainsi|d['’]abord|premièrement|deuxièmement|enfin(?=,)",
  pt: 'e|mas|ou|isso|isto|est[ae](?! (?:noite|semana|ano|mês))|esse|essa|ele|ela|assim|também|depois(?! d[eoa])|por isso|então|aí|(?:primeiro|segundo)(?=,)',
  it: 'e|ma|o|questo|questa|così|anche|poi|inoltre|quindi|per questo',
  ja: 'それ|これ|また|そして|しかし|さらに',
};
/** What follows the app's name in a sentence that needs the one before it: "Escrow Lane puts them in order". */
const pointing: Words = {
  en: '\\p{L}+ (?:them|it|those)',
  de: '\\p{L}+ (?:sie|ihn|es|daraus|damit|dabei)',
  es: 'las?|los?|les?',
  fr: "les?|la|l['’]\\p{L}+",
  pt: 'as|os',
};
/** "It checks the forecast." after a sentence about the app. */
const appDoes =
  /^It (?=(?:adds|asks|builds|checks|converts|counts|draws|finds|gives|helps|imports|keeps|knows|learns|lets|listens|logs|makes|measures|plans|plays|reads|records|remembers|reminds|runs|scans|sends|shows|sorts|splits|suggests|syncs|tells|tracks|translates|turns|warns|works|writes)(?!\p{L}))/u;
const leans = (text: string, read: Reading) =>
  beginsWith(leaning, text, read) ||
  (text.startsWith(`${read.name} `) && beginsWith(pointing, text.slice(read.name.length + 1), read));

/** What the maker says of itself or to its customers. */
const makers: Words = {
  en: "we|we['’]\\p{L}+|our|us|i|i['’]\\p{L}+|my|welcome|made (?:with|by)",
  de: 'wir|uns|unser\\p{L}*|ich|mein\\p{L}*|willkommen',
  es: 'nuestr\\p{L}+|nosotros|hemos|queremos|bienvenid\\p{L}',
  fr: 'nous|notre|nos|je|bienvenue',
  pt: 'nós|noss\\p{L}+|bem-vind\\p{L}',
  it: 'noi|nostr\\p{L}+|benvenut\\p{L}',
  ja: '私たち|弊社|当社',
};
/** "The lesson I wish I could have sent home"; in a question, "I" is the reader. */
const isMakersOwn = (text: string) =>
  splitSentences(text.replace(/["“«„][^"”»“]*["”»“]/gu, '')).some(
    sentence => /(?<!["“«\p{L}])(?:I|my|our|mein\p{L}*)(?!\p{L})/u.test(sentence) && !/[?？]/u.test(sentence),
  );
type Words = Record<string, string>;
const compiled = new Map<string, RegExp>();

function beginsWith(words: Words, text: string, { language, isFormal }: Reading): boolean {
  const listed = words[language];
  if (listed === undefined || (isFormal && text.startsWith('Sie '))) return false;
  const end = language === 'ja' ? '' : '(?!\\p{L})';
  const pattern = compiled.get(listed) ?? new RegExp(`^(?:${listed})${end}`, 'iu');
  compiled.set(listed, pattern);
  return pattern.test(text);
}

function readLine(line: Line, read: Reading): ListingLine[] {
  if (isSkipped(line)) return [];
  if (line.mark === null && endsOpen(line) && !inlineLabel.test(line.text)) return readProse(line, read);
  const text = finish(takeSentences(line.text), read);
  const isPostable =
    wordsOf(text) >= 2 &&
    !rest.test(text) &&
    !beginsWith(makers, text, read) &&
    !/[:：]$|^[^:：]+[?？]$/u.test(text) &&
    (line.section === 'open' || !beginsWith(leaning, text, read));
  if (!isPostable) return [];
  const isLast =
    hasBannedPhrase(text) ||
    wordsOf(text) < 3 ||
    /\/.*\//u.test(text) ||
    ['steps', 'open', 'audience'].includes(line.section) ||
    namesApp(text, read);
  return [{ text, rank: isLast ? 2 : 0 }];
}

/** "Doctor report: A two-page PDF. It is made for four minutes." */
const inlineLabel = /^[^.!?:]{2,30}: \p{Lu}/u;

/** Prose has sentences; a line without one is an item of a list without marks. */
const endsOpen = ({ text, label }: Line) => label !== null || /[.!?。！？…][)"”“»」』]?$/u.test(text);

/** The first sentences that fit on a slide together, up to one that is not usable. */
function takeSentences(text: string): string {
  const kept: string[] = [];
  const space = /[。！？]/u.test(text) ? '' : ' ';
  for (const sentence of splitSentences(text)) {
    const together = [...kept, sentence].join(space);
    const isFit =
      lengthOf(together) <= slideMax || (kept.length === 0 && lengthOf(dropBrackets(sentence)) <= slideMax);
    if (!isFit || !isUsable(sentence)) break;
    kept.push(lengthOf(sentence) <= slideMax ? sentence : dropBrackets(sentence));
  }
  return kept.join(space);
}

const dropBrackets = (text: string) => text.replace(/\s*\([^)]*\)/gu, '');

/** The sentences of a paragraph, each with those that it needs. */
function readProse({ text, label, section }: Line, read: Reading): ListingLine[] {
  const units: string[] = [];
  let isOpen = false;
  let isFirst = true;
  let isOfApp = false;
  const head = label === null ? '' : takeSentences(text);
  if (head !== '') units.push(joinLabel(section, label!, head, read));
  for (const written of splitSentences(text.slice(head.length))) {
    const before = units.at(-1);
    const sentence: string = isOfApp ? written.replace(appDoes, `${read.name} `) : written;
    isOfApp = read.language === 'en' && namesApp(sentence, read);
    const isLeaning = beginsWith(leaning, sentence, read) || /^[\p{Ll}(]/u.test(sentence);
    const isBound = leans(sentence, read) || isLeaning || isShortOf(before) || isShortOf(sentence);
    if (!isUsable(sentence)) isOpen = false;
    else if (
      isOpen &&
      before &&
      (isBound || /[?？]$/u.test(before)) &&
      lengthOf(`${before} ${sentence}`) <= slideMax
    ) {
      units[units.length - 1] = `${before}${/[。！？]/u.test(before) ? '' : ' '}${written}`;
    } else {
      // A short one needs what is left out before it.
      isOpen = !isLeaning && (isFirst || isOpen || !isShortOf(sentence));
      if (isOpen) units.push(sentence);
    }
    isFirst = false;
  }
  return units.flatMap(unit => {
    const told = finish(unit, read);
    const commas = unit.split(/[,、]/u).length - 1;
    const isPostable =
      wordsOf(told) >= 4 &&
      lengthOf(told) <= slideMax &&
      commas <= 6 &&
      !beginsWith(makers, told, read) &&
      !/[:：?？]$/u.test(told) &&
      /^["“„«「『【¿¡(\s]*[\p{Lu}\p{Lo}\p{N}]/u.test(unit);
    if (!isPostable || !isUsable(told)) return [];
    const isLast =
      hasBannedPhrase(told) || section === 'steps' || section === 'audience' || namesApp(told, read);
    const isLater = label === null && !text.startsWith(unit);
    return [{ text: told, rank: isLater ? 3 : isLast ? 2 : label === null ? 1 : 0 }];
  });
}

/** The two parts of a line whose second needs nothing of the first, or the line. */
export function splitLine(text: string, language: string): string[] {
  const sentences = splitSentences(text);
  const found = sentences
    .map((_, i) => [sentences.slice(0, i).join(' '), sentences.slice(i).join(' ')])
    .find(([one = '', other = '']) => wordsOf(one) >= 4 && isWhole(other, language));
  return found?.map(half => finish(half, { name: '', language })) ?? [text];
}

/** What a line says after the sentences that the cover has: "Swipe up to start. That's it." */
export function splitAfter(text: string, cover: string, language: string): string | null {
  const sentences = splitSentences(text);
  const start = sentences.findIndex(sentence => !cover.includes(sentence.replace(/[.!?…]+$/u, '')));
  const rest = sentences.slice(Math.max(0, start)).join(' ');
  return start > 0 && isWhole(rest, language) ? finish(rest, { name: '', language }) : null;
}

const isWhole = (text: string, language: string) =>
  wordsOf(text) >= 4 && !beginsWith(leaning, text, { name: '', language });

const shortMax = 36;
const isShortOf = (text: string | undefined) => !!text && lengthOf(text) < shortMax;

function joinLabel(section: Section, label: string, sentence: string, read: Reading): string {
  // "Who it is for: For families."
  if (section === 'audience' && /^(?:for|perfect|ideal|für|para|pour|per)(?!\p{L})/iu.test(sentence))
    return sentence;
  const colon = read.language === 'fr' ? ' :' : ':';
  const text = `${label}${/[!?]$/u.test(label) ? '' : colon} ${sentence}`;
  return lengthOf(text) <= slideMax ? text : beginsWith(leaning, sentence, read) ? '' : sentence;
}

/** Not in capitals, with a capital, and without a full stop where it is one sentence. */
function finish(text: string, { name, language }: Reading): string {
  const spoken = lowerShouting(capitalise(text, name), name, language);
  const lowered = spoken.replace(shoutedLabel, label => lowerLabel(label, language));
  const isOne = splitSentences(lowered).length === 1;
  return isOne && !abbreviated.test(lowered) ? lowered.replace(/(?<!\.\.|…)[.。]$/u, '') : lowered;
}

const shoutedLabel = /^\p{Lu}[\p{Lu}\p{M} &'’/-]{3,29}(?=\s?:\s)/u;

/** "SLEEP DIARY" as "Sleep diary". One with what may be an acronym stays, and German nouns beside each other. */
function lowerLabel(label: string, language: string): string {
  const words = label.split(/\s+/u);
  const isKept =
    words.some(word => /^\p{L}{2,3}$/u.test(word) && !small.test(word)) ||
    (language === 'de' && words.length > 1);
  return isKept ? label : label.charAt(0) + label.slice(1).toLowerCase();
}

const small =
  /^(?:a|an|and|as|at|by|de|del|des|do|du|el|en|et|for|in|is|it|la|las|le|les|los|my|no|of|off|on|or|our|out|per|the|to|up|with|you)$/iu;

/** "iCloud" and the app's name begin as their makers write them. */
export const capitalise = (text: string, name: string) =>
  text.startsWith(name) ? text : text.replace(/^\p{Ll}(?=\p{Ll}|\s)/u, letter => letter.toUpperCase());

/** What the listing says first: lines before its first list that can be a cover; then the store's short description. */
function readOpenings(
  lines: readonly Line[],
  summary: string,
  title: string,
  read: Reading,
): Pick<Material, 'openings' | 'seconds'> {
  const end = lines.findIndex(({ mark, label, isFirst }) => label !== null || (mark !== null && !isFirst));
  const isListFirst = lines[0]?.mark !== null && lines[1]?.mark !== null && !lines[1]?.isAfterGap;
  const intro = isListFirst
    ? []
    : lines.slice(0, end === -1 ? 4 : Math.min(4, end)).filter(line => !isSkipped(line));
  const [start, ...others] = intro;
  // "One household throws away 80 kilos a year.", and in the next line: "Yours soon will not."
  const isTwo = start && others[0]?.isAfterGap === false && others[0].mark === null && endsOpen(start);
  const first = isTwo ? [{ ...start, text: `${start.text} ${others.shift()!.text}` }] : start ? [start] : [];
  const texts = [...first, ...others, ...(summary ? [{ text: summary, isFirst: true }] : [])];
  const seconds: string[] = [];
  const usable = texts.flatMap(({ text, isFirst }) => {
    const sentences = splitSentences(lowerShouting(text, read.name, read.language));
    const [first = '', second = ''] = sentences;
    const isTitle =
      /^.{2,30}(?:\s[–—|-]\s|:\s)/u.test(text) &&
      namesApp(text, read) &&
      !endsOpen({ text, label: null } as Line);
    if (isTitle || text === title) return [];
    // A second sentence mostly needs the first one, or answers it; a question does not.
    const isOpen = /(?<!\p{L})(?:they|them|their)(?!\p{L})/iu.test(second);
    const follows =
      (/[?？]$/u.test(second) && !isOpen) ||
      (!/[?？]$/u.test(first) && isOpening(finish(first, read), read) && findPromisedCount(first) === null);
    // Nothing is before the first sentence of a listing: "That blue. You'll never get it again."
    const isPointing = isFirst && beginsWith(leaning, first, read);
    const told = finish(shortOf(sentences, isPointing), read);
    const isStart = isPointing && (sentences.length === 1 || told.length > first.length);
    const found = [first, follows ? second : ''].map(text => openingOf(text, read));
    if (found[1]) seconds.push(found[1]);
    return [isOpening(told, read, isStart) ? told : null, ...found].filter(one => one !== null);
  });
  const openings = [...new Set(usable)]
    .toSorted((one, other) => +hasBannedPhrase(one) - +hasBannedPhrase(other))
    .slice(0, openingsMax);
  return { openings, seconds };
}

function openingOf(sentence: string, read: Reading): string | null {
  const text = finish(sentence, read);
  return isOpening(text, read) ? text : null;
}

/** "What is Quillrote?" */
const asksWhat = /^¿?(?:what(?: is|['’]s)|was ist|qu['’]est-ce|qué es|o que é|(?:che )?cos['’]è)(?!\p{L})/iu;
const isOpening = (text: string, read: Reading, isStart = false) =>
  wordsOf(text) >= 3 &&
  lengthOf(text) <= openingMax &&
  isUsable(text) &&
  (isStart || !leans(text, read)) &&
  !beginsWith(makers, text, read) &&
  !isMakersOwn(text) &&
  !/^\(|[:：;,]$/u.test(text) &&
  !(/[?？]$/u.test(text) && (sectionOf(text) === 'steps' || (asksWhat.test(text) && namesApp(text, read)))) &&
  !isTitleOnly(text, read);

/**
 * A short paragraph is one line, longer where a question has its answer there or "That" what it points at; so is the
 * start of a long one: "Find your car. Feed the meter. Avoid the ticket."
 */
function shortOf(sentences: readonly string[], isPointing: boolean): string {
  const whole = sentences.join(' ');
  if (lengthOf(whole) <= (isPointing || /[?？]/u.test(sentences[0] ?? '') ? coverMax : seriesMax))
    return whole;
  let told = '';
  for (const sentence of sentences) {
    const isBound = told === '' || isShortOf(told) || isShortOf(sentence);
    if (!isBound || lengthOf(`${told} ${sentence}`) > seriesMax) break;
    told = `${told} ${sentence}`.trim();
  }
  return told;
}

const seriesMax = 75;

const isTitleOnly = (text: string, read: Reading) => text.toLowerCase() === read.name.toLowerCase();

function listAudiences(lines: readonly Line[], read: Reading): string[] {
  const sentences = lines
    .filter(line => !isSkipped(line) && (line.mark === null || line.section === 'audience'))
    .flatMap(({ text }) => splitSentences(text))
    .filter(sentence => !hasClaim(sentence));
  const found = sentences.flatMap(sentence => readAudiences(sentence, read.language));
  // Where the app must stay unnamed, an audience that contains its name would reveal it.
  return [...new Set(found)].filter(group => !namesApp(group, read)).slice(0, 6);
}

const acronyms = /\b(csv|gps|pdf|vat|tv|ai|usb|nfc|api|faq|diy)\b/giu;

/**
 * Converts a text in capitals to sentence case; acronyms, "I" and the app's name keep their case. German nouns would
 * lose theirs.
 */
export function lowerShouting(text: string, appName: string, language = 'en'): string {
  const upper = text.match(/\p{Lu}/gu)?.length ?? 0;
  const lower = text.match(/\p{Ll}/gu)?.length ?? 0;
  if (upper < 20 || upper < lower * 2 || language === 'de') return text;
  return text
    .toLowerCase()
    .replace(
      /(^|[.!?]\s+|\n\s*)(\p{Ll})/gu,
      (_, before: string, letter: string) => before + letter.toUpperCase(),
    )
    .replace(/\bi\b/gu, 'I')
    .replace(/\bicloud\b/gu, 'iCloud')
    .replace(acronyms, acronym => acronym.toUpperCase())
    .replace(new RegExp(RegExp.escape(appName), 'giu'), appName);
}
