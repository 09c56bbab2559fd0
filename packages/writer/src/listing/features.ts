import { hasBannedPhrase, hasClaim, isLegal } from '../text-filters.ts';
import { upperFirst } from '../upper-first.ts';

/**
 * A line of the listing without its mark. `detail` is the rest of the line as a clause,
 * `source` the line itself.
 */
export type Feature = { text: string; detail: string | null; source: string };

/**
 * Characters of a line that are read, and the longest sentence that is. A feature and its detail have at most
 * 230, a sentence 220, an audience 160; some patterns take the square of the length: 10,000 characters took
 * over a second.
 */
export const readMax = 500;

export const bullet =
  /^\s*(?:[-–—*•·・▪■✓✔➜►▶▸◦‣●○◆◇★☆✦→»~]\ufe0f?|\+(?=\s)|(?:\p{Extended_Pictographic}\ufe0f?)+|\d{1,2}[.)]|\d\ufe0f?\u20e3)\s*/u;
export const stepMark = /^\s*(?:\d{1,2}[.)]|\d\ufe0f?\u20e3)/u;
export const shoutedLabel = /^\p{Lu}[\p{Lu} ]{2,20}:\s/u;
/** "SMART REMINDERS - rings until you tap", "SYNC: on every phone". */
const labelled = /^(\p{Lu}[\p{L}&, -]{2,40}?)(?::|\s[–—-])\s+([\p{L}"“„].*)$/u;

/**
 * Reads a marked line as a feature: `LABEL: sentence`, `title: detail`, `title – detail` or the line alone.
 * Null when it gives no phrase.
 */
export function readFeature(line: string, appName: string): Feature | null {
  const unmarked = startOf(line).replace(bullet, '');
  const bare = spellOut(unmarked.replace(endDecoration, ''));
  // "TURN YOUR VOICE INTO INSTRUMENTS" among lines in normal case is the heading of the lines below it.
  if (bare === bare.toUpperCase() && /\p{Lu}/u.test(bare) && bare.split(/\s+/).length >= 2) return null;
  const [, label, rest] = labelled.exec(bare) ?? [];
  // In "IDENTIFY: Take a photo …" the label only repeats the sentence.
  const isShouted = label !== undefined && label === label.toUpperCase();
  // "SAVINGS JARS - with a picture of the goal" is nothing without its label.
  const isWhole =
    isShouted &&
    rest!.split(/\s+/).length >= 3 &&
    !/^(?:with|for|from|in|by|of|on|at|and|without|as)\b/i.test(rest!);
  const body = dropBrackets(
    isWhole ? rest! : isShouted ? `${upperFirst(label.toLowerCase())}: ${rest}` : bare,
  );
  const text = firstClause(body);
  if (!isPhrase(text, appName) || body.charAt(text.length) === '?') return null;
  return { text: upperFirst(text), detail: readDetail(body.slice(text.length), appName), source: line };
}

/** Without half of a character at its end. */
const startOf = (line: string) => line.slice(0, readMax).replace(/[\ud800-\udbff]$/, '');

/** Begins only where a run of them does, so that a run inside the line is tried once. */
const endDecoration = /(?<!\s|\p{Extended_Pictographic}|\ufe0f)(?:\s|\p{Extended_Pictographic}|\ufe0f)+$/u;

/** What listings abbreviate: "w/ passengers", "Shelf finder → which crate", two exclamation marks. */
function spellOut(text: string): string {
  return text
    .replace(/\bincl\.\s/giu, 'including ')
    .replace(/\bw\/\s?o\b\s*/giu, 'without ')
    .replace(/\bw(?:\/\s?|\.\s)/giu, 'with ')
    .replace(/\s*(?:→|->|=>|\|)\s*/gu, ': ')
    .replace(/!+$/u, '')
    .trim();
}

/** A heading and the line below it, as in listings with headings in capitals. */
export function readHeadedFeature(heading: string, line: string, appName: string): Feature | null {
  if (heading.split(/\s+/).length < 2 || !isPhrase(heading, appName)) return null;
  const first = startOf(line).split(/(?<=[.!?])\s/)[0] ?? '';
  return { text: heading, detail: readDetail(first, appName), source: heading };
}

function isPhrase(text: string, appName: string): boolean {
  const words = text.split(/\s+/).length;
  if (!text || words > 16 || words < 2 || text.length > 120) return false;
  // "No timers" says what an app lacks; "It also works …" and "…, and it counts" need the line before them.
  const leans =
    /^(?:no|kein\p{L}*|it|this|that|they|and|or|but|also|plus|well|then|we|our|und|oder|auch|y|pero)\b|, (?:and|but|so) (?:we|it|you) |(?<!\p{L})(?:we|our|us|I|my|wir|unser\p{L}*|nuestr\p{L}+)(?!\p{L})/iu.test(
      text,
    );
  const isSlashed = /\s\/\s.*\s\/\s/u.test(text);
  return (
    !leans &&
    !isSlashed &&
    isUsable(`${text}.`, 1) &&
    !/["“”„「」«»?¿…]/.test(text) &&
    !includesName(text, appName)
  );
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
    .replace(/(?<!\b[ap]\.m)[.,;:!]+$/u, '')
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
    !/^["“]|version \d|thank you|^tags:|eat any plant|crash|\b(?:fixed|fixes|improved|behoben|corregid\p{L}+)\b/iu.test(
      sentence,
    )
  );
}

function includesName(text: string, appName: string): boolean {
  return text.toLowerCase().includes(appName.toLowerCase());
}
