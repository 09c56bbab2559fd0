import { hasBannedPhrase } from '../text-filters.ts';
import { splitSentences } from './line-text.ts';
import {
  addresses,
  endsOpen,
  finish,
  isHalf,
  isMakersOwn,
  isOfReader,
  isShortOf,
  isSkipped,
  isUsable,
  leans,
  lengthOf,
  namesApp,
  type Reading,
  refersBack,
  wordsOf,
} from './phrasing.ts';
import type { Line, Section } from './sections.ts';

/**
 * Ranks order the lines after those that say what the app does: marked lines first, then prose, which reads like the
 * advertisement it is, then what is short, a step of a series or names the app, then later sentences of a paragraph.
 */
export type ListingLine = { text: string; rank: 0 | 1 | 2 | 3 };

const slideMax = 160;

/** What a line of a listing says, as lines of slides. */
export function readLine(line: Line, read: Reading): ListingLine[] {
  if (isSkipped(line)) return [];
  if (line.mark === null && endsOpen(line) && !inlineLabel.test(line.text)) return readProse(line, read);
  const { label, section, listed } = line;
  const told = takeSentences(line.text);
  const isLabelled = label !== null && !/^[^.!?:]{2,30}[.:]\s/u.test(told);
  const text = finish(isLabelled ? joinLabel(section, label, told, read) : told, read);
  const isPostable =
    wordsOf(text) >= 2 &&
    !rest.test(text) &&
    !isMakersOwn(text, read) &&
    !/[:：,]$|^[^:：]+[?？]$/u.test(text) &&
    (line.mark !== null || !(isHalf(text, read) || isSignature.test(text))) &&
    (section === 'open' || !refersBack(told, read));
  if (!isPostable || told === '') return [];
  // "Hablar en público" is a part of "Programas de 14 días".
  const isPart = listed === 'later' && wordsOf(text) < 6 && !/\d/u.test(text);
  const isLate =
    (lengthOf(told) < 25 && line.mark !== 'step') || isPart || /\/.*\//u.test(text) || section === 'open';
  // One of each list before two of any.
  return [{ text, rank: isLate || isLast(text, section, read) ? 2 : listed === 'later' ? 1 : 0 }];
}

const isLast = (text: string, section: Section, read: Reading) =>
  /(?:,.*){7}/u.test(text) ||
  hasBannedPhrase(text) ||
  section === 'steps' ||
  section === 'audience' ||
  namesApp(text, read);

/** "Hélène et Karim" */
const isSignature = /^\p{Lu}\p{L}+ (?:&|and|und|et|y|e|en) \p{Lu}\p{L}+$/u;

/** "… and much more" */
const rest =
  /^(?:…|\.{3})?\s*(?:(?:and|plus) )?(?:(?:so|and) )?(?:(?:much|many|lots|a lot) )?more(?:[ !.…]|$)|^(?:…|\.{3})?\s*(?:und )?vieles mehr|^\S{0,3} ?(?:y )?much[oa]s? más|^(?:et )?(?:bien|beaucoup) (?:plus|d['’]autres)|^e muito mais|^e (?:molto|tanto) altro|^など/iu;

/** "Doctor report: A two-page PDF. It is made for four minutes." */
const inlineLabel = /^[^.!?:]{2,30}: \p{Lu}/u;

/** The first sentences that fit on a slide together, up to one that is not usable. */
function takeSentences(text: string): string {
  let told = '';
  for (const sentence of splitSentences(text)) {
    const next = told === '' && lengthOf(sentence) > slideMax ? dropBrackets(sentence) : sentence;
    if (lengthOf(join(told, next)) > slideMax || !isUsable(sentence)) break;
    told = join(told, next);
  }
  return told;
}

/** Japanese has no space between sentences. */
const join = (told: string, sentence: string) =>
  told === '' ? sentence : `${told}${/[。！？]/u.test(told) ? '' : ' '}${sentence}`;

const dropBrackets = (text: string) => text.replace(/\s*\([^)]*\)/gu, '');

/** The sentences of a paragraph, each with those that it needs. */
function readProse({ text, label, section }: Line, read: Reading): ListingLine[] {
  const units: string[] = [];
  let isOpen = false;
  let isFirst = true;
  let isOfApp = false;
  let isStory = false;
  let isLost = false;
  // A question stays with its answer.
  const head = label === null ? '' : takeSentences(text).replace(/(?:\s*[^.!?…]+[?？])+$/u, '');
  if (head !== '') units.push(joinLabel(section, label!, head, read));
  for (const written of splitSentences(text.slice(head.length))) {
    const before = units.at(-1);
    const sentence: string = isOfApp ? written.replace(appDoes, `${read.name} `) : written;
    // What follows the maker's own words is its story, up to a sentence about the app.
    const isOwn = isMakersOwn(sentence, read);
    const isOfUse = isOfReader(sentence, read);
    const isNew = isOfUse || namesApp(sentence, read);
    isStory = isOwn || (isStory && !isNew);
    // "People ask for streaks. I don't believe in them."
    if (isOwn && isOpen && before && !addresses(before, read)) units.pop();
    isOfApp = read.language === 'en' && namesApp(sentence, read);
    const isLeaning = leans(sentence, read) || /^[\p{Ll}(]/u.test(sentence);
    const isSetUp = isHalf(sentence, read);
    const isNeeding =
      before !== undefined && (isShortOf(before) || isHalf(before, read) || /[?？]$/u.test(before));
    const isBound =
      isLeaning || isNeeding || (!isSetUp && (isShortOf(sentence) || !addresses(sentence, read)));
    if (isStory || !isUsable(sentence)) isOpen = false;
    else if (isOpen && before && isBound && lengthOf(join(before, sentence)) <= slideMax) {
      units[units.length - 1] = join(before, written);
    } else {
      // A short one needs what is left out before it, and an answer its question.
      const isAnswer: boolean = isOpen && /[?？]$/u.test(before ?? '') && !namesApp(sentence, read);
      isLost = isLeaning ? !isOfUse : isLost && !isNew;
      const isWanted: boolean = !isLost && addresses(sentence, read) && (isOpen || !isShortOf(sentence));
      isOpen = !isAnswer && !isLeaning && (isFirst || isWanted);
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
      !isMakersOwn(told, read) &&
      !isHalf(told, read) &&
      !/[:：,?？]$/u.test(told) &&
      /^["“„«「『【¿¡(\s]*[\p{Lu}\p{Lo}\p{N}]/u.test(unit);
    if (!isPostable || !isUsable(told)) return [];
    const isLater = label === null && !text.startsWith(unit);
    return [{ text: told, rank: isLater ? 3 : isLast(told, section, read) ? 2 : label === null ? 1 : 0 }];
  });
}

/** "It checks the forecast." after a sentence about the app. */
const appDoes =
  /^(?:It|Also) (?!(?:is|was|has|does|feels|looks|takes|means|depends|goes|comes|gets) )(?=\p{Ll}+s )/u;

/** What a line says after the sentences that the cover has: "Swipe up to start. That's it." */
export function splitAfter(text: string, cover: string, language: string): string | null {
  const sentences = splitSentences(text);
  const start = sentences.findIndex(sentence => !cover.includes(sentence.replace(/[.!?…]+$/u, '')));
  const rest = sentences.slice(Math.max(0, start)).join(' ');
  return start > 0 && isWhole(rest, language) ? finish(rest, { name: '', language }) : null;
}

const isWhole = (text: string, language: string) =>
  wordsOf(text) >= 4 && !leans(text, { name: '', language });

function joinLabel(section: Section, label: string, sentence: string, read: Reading): string {
  // "Who it is for: For families."
  if (section === 'audience' && /^(?:for|perfect|ideal|für|para|pour|per)(?!\p{L})/iu.test(sentence))
    return sentence;
  const [, whom, noun] = /^(FÜR (?:D(?:IE|AS|EN) )?\p{Lu})(\p{Lu}+)$/u.exec(label) ?? [];
  if (whom && noun) {
    const told = whom.replace(/(?<=F)ÜR|D\p{Lu}+(?= )/gu, word => word.toLowerCase());
    return joinLabel(section, told + noun.toLowerCase(), sentence, read);
  }
  // Lowering a German label in capitals would lower its nouns too, so the label is left out.
  if (read.language === 'de' && / /u.test(label) && label === label.toUpperCase())
    return refersBack(sentence, read) ? '' : sentence;
  const colon = read.language === 'fr' ? ' :' : ':';
  const isAsking = /[?？]$/u.test(label);
  const isLoud =
    label === label.toUpperCase() && finish(`${label}${colon} ${sentence}`, read).startsWith(label);
  const parts = isLoud ? [sentence] : splitSentences(sentence);
  const joined = parts
    .map((_, at) => parts.slice(0, parts.length - at).join(' '))
    .map(told => `${label}${/[!?]$/u.test(label) ? '' : colon} ${told}`)
    .find(text => lengthOf(text) <= slideMax);
  return joined ?? (isAsking || refersBack(sentence, read) ? '' : sentence);
}
