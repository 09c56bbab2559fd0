import { hasBannedPhrase, hasClaim, isLegal } from '../text-filters.ts';
import { formOfEnglish, isVerb } from './line-forms.ts';
import { formOfGerman, germanInfinitive } from './line-forms-de.ts';
import { formOfSpanish, spanishInfinitive } from './line-forms-es.ts';
import { countableHeads, determiners, numberWords } from './line-words.ts';

/**
 * A line of the listing as a phrase. `imperative` instructs the reader, `infinitive` is the German form of
 * that, `noun` names a thing, `predicate` says what the app does ("Remembers the level"), `clause` is a
 * sentence with its own subject ("Invoices go out on Friday"); `detail` is the rest of the line as a clause.
 * `source` is the line itself.
 */
export type Feature = {
  text: string;
  detail: string | null;
  form: 'imperative' | 'infinitive' | 'noun' | 'predicate' | 'clause';
  source: string;
};

export const bullet =
  /^\s*(?:[-–—*•·・▪■✓✔➜►▶▸◦‣●○◆◇★☆✦→»]|(?:\p{Extended_Pictographic}\ufe0f?)+|\d{1,2}[.)]|\d\ufe0f?\u20e3)\s*/u;
export const stepMark = /^\s*(?:\d{1,2}[.)]|\d\ufe0f?\u20e3)/u;
export const shoutedLabel = /^\p{Lu}[\p{Lu} ]{2,20}:\s/u;

/**
 * Reads a marked line as a feature: `LABEL: sentence`, `title: detail`, `title – detail` or the line alone.
 * Null when it gives no phrase.
 */
export function readFeature(line: string, appName: string, language: string): Feature | null {
  const bare = line
    .replace(bullet, '')
    .replace(/(?:\s|\p{Extended_Pictographic}|\ufe0f)+$/u, '')
    .trim();
  // "TURN YOUR VOICE INTO INSTRUMENTS" among lines in normal case is the heading of the lines below it.
  if (bare === bare.toUpperCase() && /\p{Lu}/u.test(bare) && bare.split(/\s+/).length >= 2) return null;
  const [, label, rest] = /^(\p{Lu}[\p{L} -]{2,40}):\s+([\p{L}"“„].*)$/u.exec(bare) ?? [];
  // In "IDENTIFY: Take a photo …" the label only repeats the sentence.
  const isShouted = label !== undefined && label === label.toUpperCase();
  const body = isShouted ? rest! : bare;
  // "…, not only what is gone" and "…, not X" contrast with something else; the first half is the feature.
  const text = firstClause(dropBrackets(body)).replace(/, (?:not (?:only )?|y (?:te|os|nos|le|se) ).*$/, '');
  if (!isPhrase(text, appName) || body.charAt(text.length) === '?') return null;
  const infinitive = infinitiveOf(text, language);
  const told = infinitive ?? text;
  const form = infinitive === null ? formOf(text, language) : language === 'de' ? 'infinitive' : 'imperative';
  if (form === null) return null;
  const detail = readDetail(dropBrackets(body).slice(text.length), appName);
  return { text: told, detail, form, source: line };
}

/** A heading and the line below it, as in listings with headings in capitals. */
export function readHeadedFeature(
  heading: string,
  line: string,
  appName: string,
  language: string,
): Feature | null {
  const form = formOf(heading, language);
  const isWhole = heading.split(/\s+/).length >= 2 && isPhrase(heading, appName);
  const first = line.split(/(?<=[.!?])\s/)[0] ?? '';
  return isWhole && form
    ? { text: heading, detail: readDetail(first, appName), form, source: heading }
    : null;
}

/** A sentence that instructs the reader is also a feature, unless it depends on the sentence before it. */
export function readOrder(sentence: string, appName: string): Feature | null {
  const text = sentence.replace(/[.]$/, '');
  const words = text.split(/\s+/);
  const isOrder =
    isVerb(words[0]!.toLowerCase()) && formOfEnglish(text) === 'imperative' && /[\p{L}\p{N}]$/u.test(text);
  const leans = /\b(it|own|this|that|them|we|more)\b/i.test(text) || includesName(text, appName);
  const isShort = words.length >= 6 && words.length <= 16 && text.length <= 120;
  return isOrder && isShort && !leans ? { text, detail: null, form: 'imperative', source: sentence } : null;
}

function isPhrase(text: string, appName: string): boolean {
  const words = text.split(/\s+/).length;
  if (!text || words > 16 || words < 2 || text.length > 120) return false;
  const leans = /, (?:and|but|so) (?:we|it|you) /.test(text);
  return !leans && isUsable(`${text}.`, 1) && !/["“”„「」«»?¿…]/.test(text) && !includesName(text, appName);
}

/**
 * Outside English, sentences express an instruction as an infinitive: "In der App kannst du die Probe
 * ablegen".
 */
function infinitiveOf(text: string, language: string): string | null {
  if (language === 'de') return germanInfinitive(text);
  return language === 'es' ? spanishInfinitive(text) : null;
}

/** Null for "no timers" and the like, which cannot be used as a phrase. */
function formOf(text: string, language: string): Feature['form'] | null {
  if (language === 'en') return formOfEnglish(text);
  if (language === 'de') return formOfGerman(text);
  return language === 'es' ? formOfSpanish(text) : 'noun';
}

/** The text after the first clause, as a clause of 3 to 16 words that can be a sentence; else null. */
function readDetail(rest: string, appName: string): string | null {
  const clause = dropBrackets(rest)
    .replace(/^[\s–—:;,.-]+/u, '')
    .replace(/["“”„]/g, '')
    .split(/;\s|(?<=\p{L}{2})[.!?](?:\s|$)/u)[0]!
    .replace(/[.,;:!]+$/u, '')
    .trim();
  const words = clause.split(/\s+/).length;
  const fits = words >= 3 && words <= 16 && clause.length <= 110 && isUsable(`${clause}.`, 1);
  const leans = /^(?:and|but|or|und|aber|oder|y|pero|o|that|which|so)\b/iu.test(clause);
  return fits && !leans && !includesName(clause, appName) ? clause : null;
}

/** The text up to the first dash, colon, semicolon or full stop. */
function firstClause(text: string): string {
  return (text.split(/\s[–—-]\s|[;:]\s|(?<=\p{L}{2})[.!?](?:\s|$)/u)[0] ?? '')
    .replace(/[.,;:!]+$/u, '')
    .trim();
}

const dropBrackets = (text: string) => text.replace(/\s*\([^)]*\)/g, '');

/**
 * True for a sentence that can be quoted: whole, without a claim, legal text, a quotation or a list of
 * keywords.
 */
export function isUsable(sentence: string, wordsMin = 4): boolean {
  const commas = sentence.split(',').length - 1;
  return (
    /[.!?。]$/.test(sentence) &&
    (sentence.split(/\s+/).length >= wordsMin || /[。]$/.test(sentence)) &&
    sentence.length <= 220 &&
    commas <= 4 &&
    !hasClaim(sentence) &&
    !isLegal(sentence) &&
    !hasBannedPhrase(sentence) &&
    !/^["“]|version \d|thank you|^tags:|eat any plant|crash/iu.test(sentence)
  );
}

function includesName(text: string, appName: string): boolean {
  return text.toLowerCase().includes(appName.toLowerCase());
}

/** Adjectives that keep their capital inside a sentence. */
const proper =
  /^(?:Swiss|English|French|German|Italian|Spanish|Portuguese|Dutch|Greek|Latin|Japanese|Chinese|Korean|Arabic|Hebrew|Braille|Roman|Celtic|Scottish|Irish|Welsh|British|American|European|African|Asian|Bluetooth|Christmas|Easter|Ramadan|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|April|August|September|October|November|December)\b/;

/**
 * Lower-cases the first letter unless it begins an acronym or a name like "VAT" or "Swiss"; German nouns keep
 * theirs.
 */
export function lowerFirst(text: string, language = 'en'): string {
  // German keeps the capital except on determiners and adjectives, which another capitalised word follows.
  if (
    language === 'de' &&
    !/^(?:D(?:ie|er|as|en|em)|[Dd]eine?\p{Ll}?|\p{Lu}\p{Ll}+e[nrs]?(?= \p{Lu}\p{Ll})|Direkt|Schnell|Alle) /u.test(
      `${text} `,
    )
  )
    return text;
  if (language === 'en' && proper.test(text)) return text;
  return /^\p{Lu}[\p{Ll}\s-]/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

/**
 * Adds an article: "plate calculator" becomes "a plate calculator". Only for heads known to be countable and
 * without modifiers.
 */
export function addArticle(phrase: string): string {
  const [head = ''] = phrase.split(
    / (?:that|which|with|for|to|of|in|on|your|you|by|from|and|until|where|who) |, /,
  );
  const words = head.split(' ');
  const first = words[0]!.toLowerCase();
  const isBare = !determiners.has(first) && !numberWords.has(first) && !/^(?:no|\d.*)$/.test(first);
  if (!isBare || !countableHeads.test(words.at(-1)!)) return phrase;
  return `${/^[aeio]/i.test(phrase) ? 'an' : 'a'} ${phrase}`;
}
