import {
  clauseStops,
  countedAdjectives,
  countingCompounds,
  dayParts,
  definites,
  demonstratives,
  germanListNouns,
  invitations,
  labels,
  listNouns,
  measures,
  openers,
  peopleNouns,
  selectorCompany,
  selectors,
  singularListNouns,
  softLabels,
  survivals,
  thaiMeasures,
  trials,
} from './count-vocabulary.ts';
import { type HookToken, normaliseHook, tokeniseHook } from './hook-tokens.ts';

type NumberToken = Extract<HookToken, { kind: 'number' }>;

/**
 * The number of things a hook promises to list, or null when it promises none (D-36). "7 habits" promises 7,
 * "7 days" promises time. Not capped: 40 stays 40. Linear in the length of the hook; never throws.
 */
export function findPromisedCount(hook: string): number | null {
  const normalised = normaliseHook(hook);
  if (/[\p{sc=Hira}\p{sc=Kana}\p{sc=Han}\p{sc=Hang}]/u.test(normalised)) {
    const counted = countEastAsian(normalised);
    const isKana = /[\p{sc=Hira}\p{sc=Kana}]/u.test(normalised);
    // "4 things to know about ことば" is English with a Japanese name.
    if (counted !== null || (isKana && (normalised.match(latinWord)?.length ?? 0) < 2)) return counted;
  }
  const tokens = tokeniseHook(hook);
  let first: { promise: number; isBare: boolean } | null = null;
  let countedMax = 0;
  let isTried = false;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    // Tried items may be filtered: "I tested 12 apps, only 3 stayed". Of "7 dinners, only 2 are cold" all 7
    // are shown.
    if (token.kind === 'word' && trials.has(token.text)) isTried = true;
    if (token.kind !== 'number') continue;
    const { promise, lastIndex } = readNumberAt(tokens, i);
    if (isTally(tokens, i)) return null;
    if ((first === null || isTried) && corrects(tokens, i, lastIndex, countedMax))
      return (tokens[lastIndex] as NumberToken).value;
    // "50 books in a year: 7 lessons": the slides show the list after the colon.
    if (first?.isBare && promise !== null && isListAfterColon(tokens, i, promise)) return promise;
    const isBare = promise !== null && !hasListNoun(tokens, lastIndex, promise);
    // "Four eggs, three carrots and a pepper?" lists nothing.
    if (first === null && promise !== null && !(isBare && isAsked(tokens, lastIndex)))
      first = { promise, isBare };
    countedMax = Math.max(countedMax, promise ?? countOfThings(tokens, i));
    i = lastIndex;
  }
  return first?.promise ?? null;
}

function wordAt(tokens: HookToken[], i: number): string {
  const token = tokens[i];
  return token?.kind === 'word' ? token.text : '';
}

/**
 * The number of things counted by a number that promises nothing, as in "I read 12 books"; 0 for time,
 * people, labels and parts.
 */
function countOfThings(tokens: HookToken[], i: number): number {
  const { value, isDigits, raw } = tokens[i] as NumberToken;
  const next = wordAt(tokens, i + 1);
  const isYear = isDigits && /^(?:19|20)\d\d$/.test(raw);
  if (value === null || isYear || isPartOfSomething(tokens, i) || labels.has(wordAt(tokens, i - 1))) return 0;
  return next && !clauseStops.has(next) && !measures.has(next) && !peopleNouns.has(next) ? value : 0;
}

function isAsked(tokens: HookToken[], i: number): boolean {
  const end = tokens
    .slice(i)
    .find(({ kind, text }: { kind: string; text?: string }) => kind === 'mark' && /^[.:!?…]$/.test(text!));
  return end?.kind === 'mark' && end.text === '?';
}

/** "Eleven friends. Nine opinions.", "24 doors, 24 surprises": numbers set against each other, of which no list follows. */
function isTally(tokens: HookToken[], i: number): boolean {
  const other = tokens.findIndex((token, j) => j > i + 1 && token.kind === 'number');
  const mark = tokens[other - 1];
  if (mark?.kind !== 'mark' || !/^[.,]$/.test(mark.text) || !opensClause(tokens, i)) return false;
  const { value, isDigits } = tokens[i] as NumberToken;
  const { value: next } = tokens[other] as NumberToken;
  if (value === null || next === null || hasListNoun(tokens, other, next)) return false;
  const isSeries =
    mark.text === '.' ||
    tokens.some(({ kind }, j) => j > other + 1 && kind === 'number' && countOfThings(tokens, j) > 0);
  if (peopleNouns.has(wordAt(tokens, i + 1))) return isSeries;
  // "Two incomes, one fridge" is a picture; "3 dinners, 1 pan" lists dinners.
  const isSpelled = !isDigits && !(tokens[other] as NumberToken).isDigits && countOfThings(tokens, other) > 0;
  return (isSpelled || value === next) && !hasListNoun(tokens, i, value);
}

/**
 * "…, keep these 3", "… and kept 3", "…: 3 survived": a later clause that selects from those counted before.
 */
function corrects(tokens: HookToken[], i: number, lastIndex: number, countedMax: number): boolean {
  const { value } = tokens[lastIndex] as NumberToken;
  if (value === null || value < 2 || value >= countedMax || isPartOfSomething(tokens, i)) return false;
  let isSelected = false;
  let start = i - 1;
  for (; start >= 0; start--) {
    const token = tokens[start]!;
    if (token.kind !== 'word') break;
    if (selectors.has(token.text)) isSelected = true;
    else if (!selectorCompany.has(token.text)) return false;
    if (token.text === 'and' || token.text === 'but') break;
  }
  if (start < 0 || tokens[start]!.kind === 'number') return false;
  const next = wordAt(tokens, lastIndex + 1);
  if (survivals.has(next)) return true;
  return isSelected && (standsAlone(tokens, lastIndex) || hasListNoun(tokens, lastIndex, value, 2));
}

/**
 * True for a number without a noun: at the end of a clause, before a stop word, "3 of them"; "3 in 5" is a
 * proportion.
 */
function standsAlone(tokens: HookToken[], i: number): boolean {
  const next = tokens[i + 1];
  if (next === undefined) return true;
  if (next.kind === 'mark') return !next.glued || /^[,.:;!?)]$/.test(next.text);
  if (next.kind === 'number') return false;
  if (next.text === 'of') return /^(?:them|those|these)$/.test(wordAt(tokens, i + 2));
  const afterNext = tokens[i + 2];
  if (next.text === 'in' && afterNext?.kind === 'number') return (afterNext.value ?? 0) >= 1900;
  return next.text === 'the' || (next.text !== 'out' && clauseStops.has(next.text));
}

function isListAfterColon(tokens: HookToken[], i: number, value: number): boolean {
  const before = tokens[i - 1];
  const isColon = before?.kind === 'mark' && /^[:–—]$/.test(before.text);
  return isColon && hasListNoun(tokens, i, value) && wordAt(tokens, i + 2) !== 'each';
}

const latinWord = /(?<!\p{L})\p{sc=Latn}+(?!\p{L})/gu;

const eastAsianCount =
  /(?<!第)(\d{1,4}|[一二三四五六七八九十]{1,3})\s?(つ|選|個|か条|ヶ条|가지|개(?!월)|个(?!月|小时|人|多)|件事|种|招|条)/gu;

function countEastAsian(text: string): number | null {
  for (const [, digits, counter] of text.matchAll(eastAsianCount)) {
    const value = /^\d/.test(digits!) ? Number(digits) : readKanji(digits!);
    // 一个 is as often an article as a count.
    const isArticle = digits === '一' && counter === '个';
    if (value > 0 && !isArticle) return value;
  }
  return null;
}

function readKanji(text: string): number {
  const digit = (char: string | undefined) => (char ? '一二三四五六七八九'.indexOf(char) + 1 : 0);
  const [before, after] = text.split('十');
  return text.includes('十') ? (digit(before) || 1) * 10 + digit(after) : digit(text);
}

function readNumberAt(tokens: HookToken[], i: number): { promise: number | null; lastIndex: number } {
  const range = rangeEnd(tokens, i);
  if (range !== null) {
    const value = (tokens[range] as NumberToken).value;
    // A range needs a noun: "9 to 5" and "50-50" have none.
    const kept = value !== null && value < 1000 && hasListNoun(tokens, range, value);
    return { promise: kept ? value : null, lastIndex: range };
  }
  return { promise: promiseAt(tokens, i), lastIndex: i };
}

const rangeWords = new Set(['to', 'or', 'bis', 'oder', 'a', 'o', 'à', 'ou', 'y', 'e', 'et', 'und']);
const proportions = new Set(['von', 'sur', 'h', 'uhr']);

/** Index of the second number of "5-7", "five to seven", "3 or 4", "4 out of 5", "8 von 10", "16 h 30"; else null. */
function rangeEnd(tokens: HookToken[], i: number): number | null {
  const [first, second, third] = [tokens[i + 1], tokens[i + 2], tokens[i + 3]];
  if (first?.kind === 'mark' && /^[-–—/]$/.test(first.text) && second?.kind === 'number') {
    return first.glued && second.glued ? i + 2 : null;
  }
  if (first?.kind === 'word' && rangeWords.has(first.text) && second?.kind === 'number') return i + 2;
  if (first?.kind !== 'word') return null;
  if (proportions.has(first.text) && second?.kind === 'number') return i + 2;
  return /^(?:out|de|em)$/.test(first.text) && third?.kind === 'number' ? i + 3 : null;
}

function promiseAt(tokens: HookToken[], i: number): number | null {
  const token = tokens[i] as NumberToken;
  const { value } = token;
  if (value === null || value === 0 || isPartOfSomething(tokens, i)) return null;
  if (token.isDigits && value >= 1900 && value <= 2099 && /^\d{4}$/.test(token.raw)) return null;
  if (value >= 1000 && i > 0) return null;
  const before = tokens[i - 1];
  const previous = before?.kind === 'word' ? before.text : '';
  if (previous === 'top') return isMeasure(tokens[i + 1], /^percent/) ? null : value;
  const compound = compoundNoun(tokens, i);
  if (compound !== null) return countingCompounds.has(compound) ? value : null;
  if (isLabelled(tokens, i, previous)) return null;
  const next = tokens[skipPlus(tokens, i) + 1];
  if (isEvents(tokens, i)) return value;
  if (pointsAtWhatIsShown(tokens, i) && standsAlone(tokens, i))
    return value >= 2 && value <= 99 ? value : null;
  if (next?.kind === 'word' && (isMeasureAt(tokens, skipPlus(tokens, i) + 1) || peopleNouns.has(next.text))) {
    return null;
  }
  // "Say one good thing" and "A house has 83 steps" list nothing.
  const isFact = (value === 1 || value > 35) && !opensClause(tokens, i) && !softLabels.has(previous);
  if (hasListNoun(tokens, i, value)) return isFact ? null : value;
  const isBareCount =
    !token.isRoman && opensClause(tokens, i) && isNounLike(next) && !isLongMeasure(tokens, i);
  return isBareCount && value >= 2 && value <= 35 ? value : null;
}

/** "Ten quiet minutes", "3 close friends": a measure or people after one adjective. */
function isLongMeasure(tokens: HookToken[], i: number): boolean {
  const [adjective, noun] = [tokens[i + 1], tokens[i + 2]];
  if (adjective?.kind !== 'word' || noun?.kind !== 'word' || clauseStops.has(noun.text)) return false;
  return isMeasureAt(tokens, i + 2) || peopleNouns.has(noun.text);
}

/** Glued to a letter ("v2", "5K", "3D"), a price, a rank, a ratio, a clock time, a percentage. */
function isPartOfSomething(tokens: HookToken[], i: number): boolean {
  const token = tokens[i] as NumberToken;
  const [before, next, afterNext] = [tokens[i - 1], tokens[i + 1], tokens[i + 2]];
  if (token.glued && before && before.kind !== 'mark') return true;
  if (next?.glued && next.kind === 'word') return true;
  if (before?.kind === 'mark' && /^[$€£¥₹#/]$/.test(before.text)) return true;
  if (before?.kind === 'mark' && token.glued && /^[-–.:'’]$/.test(before.text) && i >= 2) return true;
  if (next?.kind !== 'mark') return false;
  if (/^[%°/$€£]$/.test(next.text)) return true;
  return next.text === ':' && next.glued && afterNext?.kind === 'number' && afterNext.glued;
}

/** The word of "5-minute" or "3-step"; null when nothing is attached to the number. */
function compoundNoun(tokens: HookToken[], i: number): string | null {
  const [hyphen, word] = [tokens[i + 1], tokens[i + 2]];
  const isCompound = hyphen?.kind === 'mark' && /^[-‐‑–]$/.test(hyphen.text) && hyphen.glued;
  return isCompound && word?.kind === 'word' && word.glued ? word.text : null;
}

function isLabelled(tokens: HookToken[], i: number, previous: string): boolean {
  const isAbbreviated = tokens[i - 1]?.kind === 'mark' && (tokens[i - 1] as { text: string }).text === '.';
  const earlier = tokens[i - 2];
  if (isAbbreviated && earlier?.kind === 'word' && (earlier.text === 'no' || earlier.text === 'nr'))
    return true;
  if (!labels.has(previous)) return false;
  // "in 5 steps" and "for 3 good reasons" promise; "in 30 days" does not.
  return !(softLabels.has(previous) && hasListNoun(tokens, i, (tokens[i] as NumberToken).value!, 2));
}

/** "Five times I almost quit" lists events; "three times a day" is a frequency. */
function isEvents(tokens: HookToken[], i: number): boolean {
  const [times, who] = [tokens[i + 1], tokens[i + 2]];
  const isTimes = times?.kind === 'word' && times.text === 'times';
  return isTimes && who?.kind === 'word' && (who.text === 'i' || who.text === 'you');
}

/**
 * True when a list noun follows within `reach` words of the same clause, before any stop word (six, found by
 * trial on the table).
 */
function hasListNoun(tokens: HookToken[], i: number, value: number, reach = 6): boolean {
  let seen = 0;
  for (let j = skipPlus(tokens, i) + 1; j < tokens.length && seen < reach; j++) {
    const token = tokens[j]!;
    if (token.kind === 'mark') {
      if (/^[-‐‑&"“”„«]$/.test(token.text)) continue;
      return false;
    }
    if (token.kind === 'number') continue;
    seen++;
    if (value === 1 ? singularListNouns.has(token.text) : isListNoun(token.text))
      return !isDailyRate(tokens, j);
    if (clauseStops.has(token.text) || peopleNouns.has(token.text)) return false;
    const previous = tokens[j - 1];
    const isCompoundPart = previous?.kind === 'mark' || tokens[j + 1]?.glued;
    if (isMeasureAt(tokens, j) && !isCompoundPart) return false;
  }
  return false;
}

/** True for a measure that modifies no list noun, as "night" does in "4 night habits" and "4 night shift tips". */
function isMeasureAt(tokens: HookToken[], i: number): boolean {
  const [token, ...next] = tokens.slice(i, i + 3);
  if (token?.kind !== 'word' || !(measures.has(token.text) || thaiMeasures.test(token.text))) return false;
  const end = next.findIndex(one => one.kind !== 'word' || isListNoun(one.text));
  return !(dayParts.has(token.text) && next[end]?.kind === 'word');
}

function isListNoun(word: string): boolean {
  return listNouns.has(word) || germanListNouns.some(noun => word.endsWith(noun));
}

/** "10,000 steps a day" is a quantity. */
function isDailyRate(tokens: HookToken[], nounIndex: number): boolean {
  const [article, unit] = [tokens[nounIndex + 1], tokens[nounIndex + 2]];
  const isRate = article?.kind === 'word' && (article.text === 'a' || article.text === 'per');
  return isRate && unit?.kind === 'word' && measures.has(unit.text);
}

/** "Keep these 3", "Squat, bench, deadlift: the big 3". */
function pointsAtWhatIsShown(tokens: HookToken[], i: number): boolean {
  const previous = wordAt(tokens, i - 1);
  if (demonstratives.has(previous)) return true;
  return previous === 'big' && definites.has(wordAt(tokens, i - 2)) && opensClause(tokens, i);
}

/**
 * True at the start of the hook or of a clause, or after only opener words ("here are", "my", "I tested",
 * "the big", "steal my"); after "these" anywhere.
 */
function opensClause(tokens: HookToken[], i: number): boolean {
  if (demonstratives.has(wordAt(tokens, i - 1))) return true;
  for (let j = skipAdjectives(tokens, i) - 1; j >= 0; j--) {
    const token = tokens[j]!;
    if (isClauseMark(token)) return true;
    if (token.kind === 'word' && openers.has(token.text)) continue;
    const isFirst = j === 0 || isClauseMark(tokens[j - 1]!);
    return isFirst && invitations.has(wordAt(tokens, j)) && definites.has(wordAt(tokens, j + 1));
  }
  return true;
}

function isClauseMark(token: HookToken): boolean {
  return token.kind === 'mark' && (!token.glued || !/^[-'’]$/.test(token.text));
}

/**
 * The index of the first of up to two adjectives between "the" and the number; the number's own index when
 * there are none.
 */
function skipAdjectives(tokens: HookToken[], i: number): number {
  for (let first = i - 1; first >= i - 2 && countedAdjectives.has(wordAt(tokens, first)); first--) {
    if (definites.has(wordAt(tokens, first - 1))) return first;
  }
  return i;
}

function isNounLike(token: HookToken | undefined): boolean {
  if (token?.kind === 'number') return true;
  return token?.kind === 'word' && !clauseStops.has(token.text);
}

function isMeasure(token: HookToken | undefined, pattern: RegExp): boolean {
  return token?.kind === 'word' && pattern.test(token.text);
}

function skipPlus(tokens: HookToken[], i: number): number {
  const next = tokens[i + 1];
  return next?.kind === 'mark' && next.text === '+' ? i + 1 : i;
}
