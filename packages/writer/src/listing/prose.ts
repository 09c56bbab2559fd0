import { hasBannedPhrase } from '../text-filters.ts';
import { joinSentences, lengthOf, splitSentences } from './line-text.ts';
import {
  addresses,
  asksBack,
  beginsWithReader,
  endsOpen,
  finish,
  isHalf,
  isMakersOwn,
  isOfApp,
  isShortOf,
  isSkipped,
  isUsable,
  leans,
  namesApp,
  type Reading,
  refersBack,
  wordsOf,
} from './phrasing.ts';
import { endsInIf, type Line, type Section, sectionOf } from './sections.ts';

/**
 * Ranks order the lines after those that say what the app does: marked lines first, then prose, which reads like the
 * advertisement it is, then what is short, a step of a series or names the app, then what may need what stood around
 * it: later sentences of a paragraph, cut ones, lines of a list below a colon, and last those that seldom stand alone.
 * A line with `after` stands right behind that one or nowhere.
 */
export type ListingLine = { text: string; rank: 0 | 1 | 2 | 3 | 4; after?: string | undefined };

const slideMax = 160;

/** What a line of a listing says, as lines of slides. */
export function readLine(line: Line, read: Reading): ListingLine[] {
  if (isSkipped(line) || isSmallPrint(line.text)) return [];
  if (read.itemMax && (line.mark === null || wordsOf(line.text) > read.itemMax)) return [];
  if (line.mark === null && endsOpen(line) && !inlineLabel.test(line.text)) return readProse(line, read);
  const { label, section, listed } = line;
  const told = takeSentences(line.text, read);
  const isLabelled = label !== null && !/^[^.!?:,]{2,30}\.\s|^[^.!?:]{2,60}:\s/u.test(told);
  const text = finish(isLabelled ? joinLabel(section, label, told, read) : told, read);
  const isSound =
    wordsOf(text) >= 2 &&
    !rest.test(text) &&
    !/^(?:…|\.{3})|[–—-]\s?(?:…|\.{3})$/u.test(line.text) &&
    !isMakersOwn(text, read) &&
    !/[:：,]$|^[^:：]+[?？]$|^\(.*\)$/u.test(text) &&
    !indirect.test(text) &&
    (section !== 'audience' || (wordsOf(text) >= 6 && !text.includes(','))) &&
    (line.mark !== null || !(isHalf(text, read) || isLoose(line, text, read))) &&
    (section === 'open' || !refersBack(told, read));
  // Steps help together or not at all.
  const isCut = section === 'steps' && line.mark === 'step' && told.length < line.text.length;
  if (!isSound || isCut || told === '') return [];
  // "Hablar en público" is a part of "Programas de 14 días".
  const isPart = listed === 'later' && wordsOf(text) < 6 && !/\d/u.test(text);
  const isLate =
    (/ · /u.test(told) && lengthOf(told) < 60) ||
    (lengthOf(told) < 25 && line.mark !== 'step') ||
    isPart ||
    /\/.*\//u.test(text) ||
    section === 'open';
  if (line.isLed) return [{ text, rank: line.mark === null || wordsOf(text) < 5 ? 4 : 3 }];
  if (told.length < line.text.length - 1) return [{ text, rank: 3 }];
  // One of each list before two of any.
  return [{ text, rank: isLate || isLast(text, section, read) ? 2 : listed === 'later' ? 1 : 0 }];
}

/** "Price: free for 50 catches" */
const isSmallPrint = (text: string) =>
  /^(?:legal|praise)$/u.test(sectionOf(/^([^.!?:]{2,30}?)\s?:\s/u.exec(text)?.[1] ?? '') ?? '');

const isLast = (text: string, section: Section, read: Reading) =>
  /(?:,.*){7}/u.test(text) ||
  hasBannedPhrase(text) ||
  section === 'steps' ||
  section === 'audience' ||
  namesApp(text, read);

/** "Das Gartenzaun-Team", "Happy knitting!" */
const isLoose = ({ isFirst, section, label }: Line, text: string, read: Reading) =>
  !isFirst &&
  section === 'intro' &&
  label === null &&
  isShortOf(text) &&
  !/: |】/u.test(text) &&
  !namesApp(text, read);

/** "How often you take painkillers" of "It will then show you:" */
const indirect =
  /^(?:how (?:many|much|often|long|far|well|you)|whether|wie (?:viele?|oft|lange|gut)|ob|combien|si vous|cu[aá]nt[oa]s?|cada cuánto|quant[oaie]s?|com que frequência|quanto spesso|hoe (?:vaak|veel|lang)) [^:–—?？]+$/iu;

/** "… and much more" */
const rest =
  /^(?:…|\.{3})?\s*(?:(?:and|plus) )?(?:(?:so|and) )?(?:(?:much|many|lots|a lot) )?more(?:[ !.…]|$)|^(?:…|\.{3})?\s*(?:und )?vieles mehr|^\S{0,3} ?(?:y )?much[oa]s? más|^(?:et )?(?:bien|beaucoup) (?:plus|d['’]autres)|^e muito mais|^e (?:molto|tanto) altro|^など/iu;

/** "Doctor report: A two-page PDF. It is made for four minutes." */
const inlineLabel = /^[^.!?:]{2,30}: \p{Lu}/u;

/**
 * The first sentences that fit on a slide together, up to one that is not usable. A short one says nothing without the
 * rest: "Push one button per watch."
 */
function takeSentences(text: string, read: Reading): string {
  let told = '';
  for (const sentence of splitSentences(text)) {
    if (lengthOf(joinSentences(told, sentence)) > slideMax || !isUsable(sentence, read)) {
      if (isShortOf(told)) return '';
      break;
    }
    told = joinSentences(told, sentence);
  }
  // A question stays with its answer.
  return told.replace(/(?<=[.!?…]\s?)(?:\s*[^.!?…]+[?？])+$/u, '');
}

/** Without "with opening hours, …", ", and …" or "— and for …", where a sentence is too long for a slide. */
const cutToFit = (sentence: string) =>
  lengthOf(sentence) <= slideMax
    ? sentence
    : (/^[^()"“„«;:]{40,160}(?=, (?:with|whether|avec|con|com|and|und|et|y|e) | [–—] (?:and|und|y|et|e) )/u.exec(
        sentence,
      )?.[0] ?? sentence);

/**
 * The sentences of a paragraph. One after the first stands on a slide right after the one before it, or alone where it
 * names the app; under a heading the first ones alone are taken.
 */
function readProse(line: Line, read: Reading): ListingLine[] {
  const { text, label, section, isFirst } = line;
  if (label !== null) {
    const head = takeSentences(text, read);
    // "Find it: Meter: set the tone" and "Messages: Messages stay" have one label too many.
    const hasColon = /^[^.!?:]{2,60}\s?: /u.test(head);
    const isLabelled = hasColon || head.toLowerCase().startsWith(`${label.toLowerCase()} `);
    const labelled = isLabelled ? head : joinLabel(section, label, head, read);
    const isAnswer = hasColon && /[?？]$/u.test(label);
    const told = head === '' || isAnswer || (hasColon && leans(head, read)) ? '' : finish(labelled, read);
    return isPostable(told, told, read) ? [{ text: told, rank: isLast(told, section, read) ? 2 : 0 }] : [];
  }
  const units: { text: string; isNext: boolean }[] = [];
  let isOpen = false;
  for (const [i, whole] of splitSentences(text).entries()) {
    const isOfReader = isOfApp(whole, read) || beginsWithReader(whole, read);
    const sentence = isOfReader ? cutToFit(whole) : whole;
    const before = units.at(-1);
    const isOwn = isMakersOwn(sentence, read);
    // "People ask for streaks. I don't believe in them."
    if (isOwn && isOpen && before && (leans(sentence, read) || !addresses(before.text, read))) units.pop();
    const joined = isOpen && before ? joinSentences(before.text, sentence) : sentence;
    const isLeaning = leans(sentence, read) || /^[\p{Ll}(]/u.test(sentence);
    const isBound =
      isLeaning ||
      (!isHalf(sentence, read) && (isShortOf(sentence) || !addresses(sentence, read))) ||
      (before && (isShortOf(before.text) || isHalf(before.text, read) || /[?？]$/u.test(before.text)));
    if (isOwn || !isUsable(sentence, read)) isOpen = false;
    else if (isOpen && before && isBound && lengthOf(joined) <= slideMax) before.text = joined;
    else if (isOpen && before && isShortOf(sentence)) {
      // "An orchestra." without "A dentist for sharks."
      before.text = before.text.replace(/(?<=[.!?])(?: [^.!?]{1,35}[.!?])+$/u, '');
      isOpen = false;
    } else {
      const isAlone: boolean =
        !isLeaning &&
        (i === 0 ||
          isOfApp(sentence, read) ||
          (!isOpen && !isShortOf(sentence) && beginsWithReader(sentence, read)));
      if (isOpen || isAlone) units.push({ text: sentence, isNext: !isAlone });
      isOpen ||= isAlone;
    }
    // The next one may need what was cut.
    if (sentence !== whole) isOpen = false;
  }
  const told = units.map(unit => finish(unit.text, read));
  return units.flatMap((unit, i) => {
    const one = told[i]!;
    if (!isPostable(one, unit.text, read) || isLoose({ ...line, isFirst: isFirst && i === 0 }, one, read))
      return [];
    // "Spaza Count shows you." and "Warum vier? Weil …" need what was asked or said before.
    const isAnswer =
      !isFirst &&
      ((isShortOf(one) && namesApp(one, read) && !saysWhat.test(one)) ||
        (namesApp(one, read) && /^.{1,50} (?:it|them|that)$/u.test(one)) ||
        /^[^.!?]{1,30}[?？]\s/u.test(one));
    const isStart = text.startsWith(unit.text);
    const rank = line.isLed || isAnswer ? 4 : isStart ? (isLast(one, section, read) ? 2 : 1) : 3;
    return [{ text: one, rank, after: unit.isNext ? told[i - 1] : undefined }];
  });
}

/** "FlueForms is built for sweeps" */
const saysWhat = / (?:is|ist|est|es|é|è) /u;

const isPostable = (told: string, written: string, read: Reading) =>
  wordsOf(told) >= 4 &&
  lengthOf(told) <= slideMax &&
  written.split(/[,、]/u).length <= 7 &&
  isUsable(told, read) &&
  !isMakersOwn(told, read) &&
  !isHalf(told, read) &&
  !/[:：,?？]$/u.test(told) &&
  /^["“„«「『【¿¡(\s]*[\p{Lu}\p{Lo}\p{N}]/u.test(written);

/** What a line says after the sentences that the cover has: "Swipe up to start. That's it." It may need the cover. */
export function splitAfter(
  text: string,
  cover: string,
  language: string,
): Pick<ListingLine, 'text' | 'after'> | null {
  const sentences = splitSentences(text);
  const said = cover.toLowerCase();
  const start = sentences.findIndex(
    sentence => !said.includes(sentence.replace(/[.!?…]+$/u, '').toLowerCase()),
  );
  const rest = joinSentences(...sentences.slice(Math.max(0, start)));
  const read = { name: '', language };
  return start > 0 && splitSentences(rest).some(sentence => wordsOf(sentence) >= 4)
    ? { text: finish(rest, read), after: leans(rest, read) ? cover : undefined }
    : null;
}

function joinLabel(section: Section, label: string, sentence: string, read: Reading): string {
  // "Who it is for: For families."
  if (section === 'audience' && /^(?:for|perfect|ideal|für|para|pour|per)(?!\p{L})/iu.test(sentence))
    return sentence;
  const colon = read.language === 'fr' ? ' :' : ':';
  const isAsking = /[?？]$/u.test(label);
  if (asksBack(label, read)) return '';
  if (refersBack(label, read)) return refersBack(sentence, read) ? '' : sentence;
  // "Es para ti si: trabajas sola"
  if (endsInIf.test(label) && /^\p{Ll}/u.test(sentence))
    return `${label === label.toUpperCase() ? label.toLowerCase() : label} ${sentence}`;
  const isLoud =
    label === label.toUpperCase() && finish(`${label}${colon} ${sentence}`, read).startsWith(label);
  const parts = isLoud ? [sentence] : splitSentences(sentence);
  const joined = parts
    .map((_, at) => joinSentences(...parts.slice(0, parts.length - at)))
    .map(told => `${label}${/[!?]$/u.test(label) ? '' : colon} ${told}`)
    .find(text => lengthOf(text) <= slideMax);
  return joined ?? (isAsking || refersBack(sentence, read) ? '' : sentence);
}
