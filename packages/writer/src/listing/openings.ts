import { findPromisedCount } from '@hookline/deck';
import { hasBannedPhrase } from '../text-filters.ts';
import { joinSentences, lengthOf, ordinal, splitSentences } from './line-text.ts';
import {
  addresses,
  capitalise,
  finish,
  isHalf,
  isMakersOwn,
  isShortOf,
  isSkipped,
  isUsable,
  leans,
  lowerShouting,
  namesApp,
  type Reading,
  wordsOf,
} from './phrasing.ts';
import type { ListingLine } from './prose.ts';
import { type Line, sectionOf } from './sections.ts';
import type { AppName } from './short-name.ts';

/** Characters of a line that is short enough for a cover. */
const coverMax = 90;
const openingMax = 140;
/** Longer lines become the cover only when none of the listing's first lines is shorter. */
const longMin = 110;
const openingsMax = 6;
/** Characters of the sentences that are one cover together. */
const seriesMax = 75;

/** What the listing says first: lines before its first list that can be a cover; then the store's short description. */
export function readOpenings(
  lines: readonly Line[],
  summary: string,
  title: string,
  read: Reading,
): string[] {
  const end = lines.findIndex(({ mark, label, isFirst }) => label !== null || (mark !== null && !isFirst));
  const isListFirst = lines[0]?.mark !== null && lines[1]?.mark !== null && !lines[1]?.isAfterGap;
  const intro = isListFirst
    ? []
    : lines.slice(0, end === -1 ? 4 : Math.min(4, end)).filter(line => !isSkipped(line));
  // "Happy knitting!"; "Glove: a scratch pad that archives itself"; what goes on with the line above
  const said = intro.filter(
    ({ text, isAfterGap }, i) =>
      i === 0 ||
      namesApp(text, read) ||
      (isAfterGap && !/^[^.!?:]{2,30}\s?: /u.test(text) && (!isShortOf(text) || /[.?。？]$/u.test(text))),
  );
  const texts: Pick<Line, 'text' | 'isFirst'>[] = [...said];
  if (summary) texts.splice(1, 0, { text: summary, isFirst: false });
  const usable = texts.flatMap(({ text, isFirst }) => {
    const sentences = splitSentences(lowerShouting(text, read));
    const [first = '', second = ''] = sentences;
    // "Film looks measured from film. We shot 31 stocks." of "Grainhouse – Film Looks"
    const isOfTitle = title.toLowerCase().includes(first.toLowerCase().split(' ').slice(0, 2).join(' '));
    const isStory = isMakersOwn(second, read) && !addresses(first, read) && !isOfTitle;
    if (isStory || text === title) return [];
    // Nothing is before the first sentence of a listing: "That blue. You'll never get it again."
    const isPointing = isFirst && leans(first, read);
    const short = shortOf(sentences, isPointing, read);
    const isStart = isPointing && (sentences.length === 1 || short.length > first.length);
    return [openingOf(short, read, isStart), openingOf(first, read)].filter(one => one !== null);
  });
  return [...new Set(usable)]
    .toSorted((one, other) => +hasBannedPhrase(one) - +hasBannedPhrase(other))
    .slice(0, openingsMax);
}

function openingOf(sentence: string, read: Reading, isStart = false): string | null {
  const text = finish(sentence, read);
  return isOpening(text, read, isStart) ? text : null;
}

/** "What is Quillrote?" */
const asksWhat = /^¿?(?:what(?: is|['’]s)|was ist|qu['’]est-ce|qué es|o que é|(?:che )?cos['’]è)(?!\p{L})/iu;
const isOpening = (text: string, read: Reading, isStart = false) =>
  (wordsOf(text.replace(/\s[!?]/gu, '')) >= 3 || lengthOf(text) > text.length + 5) &&
  !(read.itemMax && /[?？]/u.test(text)) &&
  !(read.itemMax && wordsOf(text) > (/ (?:is|are|can|will|which|that|to)(?!\p{L})/u.test(text) ? 6 : 12)) &&
  /\p{L}{3}|[\p{sc=Hira}\p{sc=Han}]/u.test(text) &&
  lengthOf(text) <= openingMax &&
  isUsable(text, read) &&
  (isStart || !leans(text, read)) &&
  !isMakersOwn(text, read) &&
  !isHalf(text, read) &&
  !ordinal.test(text) &&
  !/^\p{Lu}\p{Ll}{2,15} [–—-] \p{Lu}|^\(|(?:[:：,]|(?<!\p{sc=Grek});)$|^\P{Lu}*\p{Lu}\P{Lu}+ (?:Sie )?(?:dazu|dabei|damit)[?!]$/u.test(
    text,
  ) &&
  !(/[?？]$/u.test(text) && (sectionOf(text) === 'steps' || (asksWhat.test(text) && namesApp(text, read)))) &&
  text.toLowerCase() !== read.name.toLowerCase();

/**
 * A short paragraph is one line, longer where a question has its answer there or "That" what it points at; so is the
 * start of a long one: "Find your car. Feed the meter. Avoid the ticket."
 */
function shortOf(sentences: readonly string[], isPointing: boolean, read: Reading): string {
  const whole = joinSentences(...sentences);
  // "20 h 15. Les dents sont brossées, la veilleuse est allumée."
  const isScene = sentences.length === 2 && wordsOf(sentences[0]!) <= 3;
  const isLonger = isPointing || /[?？]|(?: \p{L}+[.!]){3}$/u.test(whole);
  const max = isScene ? openingMax : isLonger ? coverMax : seriesMax;
  if (lengthOf(whole) <= max) return whole;
  let told = '';
  for (const sentence of sentences) {
    const isLeaning = leans(sentence, read);
    const isBound = told === '' || isLeaning || isShortOf(told) || isShortOf(sentence);
    if (!isBound || lengthOf(joinSentences(told, sentence)) > (isLeaning ? coverMax : seriesMax)) break;
    told = joinSentences(told, sentence);
  }
  // "Every. Single. Time." is one sentence.
  return /^ \p{L}+[.!](?: |$)/u.test(whole.slice(told.length))
    ? told.replace(/(?<=[.!?])(?: \p{L}+[.!])+$/u, '')
    : told;
}

/** The listing's lines that can be a cover, its opening line first. */
export function listCovers(
  openings: readonly string[],
  name: AppName,
  lines: readonly (ListingLine & { isPitch: boolean })[],
): string[] {
  const tagline =
    name.tagline !== null &&
    name.tagline.length <= coverMax &&
    wordsOf(name.tagline.replace(/ [&+] /gu, ' ')) >= 3
      ? [capitalise(name.tagline, name.short)]
      : [];
  // "Keys: a coded key log"
  const short = lines
    .filter(({ after }) => after === undefined)
    .filter(({ text, isPitch }) => text.length <= (isPitch ? openingMax : coverMax))
    .filter(({ text }) => !/[.!?] |^[^.!?:]{2,30}:\s/u.test(text));
  const pitch = short.filter(({ isPitch }) => isPitch);
  const ranked = [0, 1].flatMap(rank => short.filter(line => line.rank === rank));
  const isLong = (text: string) => Number(text.length > longMin);
  const told = [...openings, ...pitch.map(({ text }) => text)].toSorted(
    (one, other) => isLong(one) - isLong(other),
  );
  const all = [
    ...told.filter(text => !lacksSubject.test(text)),
    ...tagline,
    ...told,
    ...ranked.map(({ text }) => text).filter(text => !lacksSubject.test(text)),
  ];
  const covers = [...new Set(all)].filter(text => findPromisedCount(text) === null);
  // A long cover says more than the bare name.
  const first = lines.find(
    ({ text, isPitch, after }) => isPitch && after === undefined && findPromisedCount(text) === null,
  );
  return covers.length === 0 && first ? [first.text] : covers;
}

/** "Tem 60 receitas" */
const lacksSubject =
  /^(?:tem|traz|mostra|tiene|trae|muestra|contiene|ha|funciona|funziona|zeigt|hat|kann|erinnert|merkt|erkennt|warnt|rechnet|zählt|dreht|hilft|findet|misst)[ ,]/iu;
