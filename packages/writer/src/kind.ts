import { fillLine, getLines } from './lines.ts';
import type { Material } from './listing/material.ts';
import { hasBannedPhrase, hasClaim } from './text-filters.ts';

/** What an app is, as a noun phrase: "guitar tuner", and with its article. */
export type Kind = { kind: string; a_kind: string };

/** Nouns for a kind of app; a subtitle that ends in one needs no "app" behind it. */
const kinds =
  /(?:calculator|timer|planner|tracker|diary|log|logbook|journal|list|scanner|counter|player|editor|calendar|guide|recorder|converter|metronome|tuner|checklist|dictionary|alarm|clock|notebook|keyboard|quiz|game|puzzle|ledger|wallet|vault|reminder|finder|picker|reader|viewer|builder|maker|cleaner|helper|coach|organi[sz]er|directory|schedule|scheduler|rota|assistant|trainer|translator|budget|register|manager|generator|simulator|bank|radio|shop|map|book|binder)$/i;
const adjectives =
  /^(?:easy|easiest|simple|smart|fast|beautiful|modern|complete|private|relaxing|addictive|new|little|tiny|small|quiet|most|very|more|fun|cute|great|free|powerful|first|only|calm|gentle)$/i;
const wordsMax = 3;
/** "3D" is a word, a number is none: a cover would promise it. */
const plainWords = /^\d?[\p{L}-]+(?: \d?[\p{L}-]+)*$/u;
const notNoun =
  /(?:^|\s)(?:for|your|the|with|of|to|my|in|on|by|a|an|and|or|best|only|way|place|app|it|on|time|free|up)(?:\s|$)/i;

/**
 * What the app is: from the subtitle of its name, from a sentence like "X is a budget planner for", or from
 * its store category. Never contains the app's name if `isNameless`.
 */
export function readKind(
  material: Material,
  language: string,
  isNameless: boolean,
  own = findOwnKind(material, language, isNameless),
): Kind {
  const kind = own ?? (language === 'en' ? ofCategory(material.category) : null);
  return withArticle(kind || (language === 'de' ? 'App' : 'app'), language);
}

/** What the listing itself says the app is; null where only its store category is known. */
export function findOwnKind(material: Material, language: string, isNameless: boolean): string | null {
  const candidates = material.language === language ? listKinds(material, language) : [];
  const name = material.name.short.toLowerCase();
  const fits = (one: string) =>
    !(isNameless && one.toLowerCase().includes(name)) && !hasClaim(one) && !hasBannedPhrase(one);
  return candidates.find(fits) ?? null;
}

function listKinds(material: Material, language: string): string[] {
  const { name, sentences, features, audiences } = material;
  const ofApp = (subject: string) => fillLine(getLines(language).kindOfApp, { subject })!;
  // "Flashcards from PDFs" is a flashcard app.
  const tagline =
    name.tagline?.split(
      /\s*[&,:|]\s*|\s+(?:for|from|at|in|on|with|without|by|für|in|mit|ohne|para|sin|con)\s+/i,
    )[0] ?? '';
  const isPlain = plainWords.test(tagline) && tagline.split(' ').length <= 4;
  if (language !== 'en') {
    // The words of a subtitle take no article, case or gender behind these prepositions.
    const subject = language === 'es' ? lower(tagline) : tagline;
    // A single German noun makes one word with "App".
    if (language === 'de' && isPlain && /^\p{Lu}[\p{L}]+$/u.test(tagline)) return [`${joined(tagline)}-App`];
    return isPlain && !/\b(?:para|con|und|mit|für)\b/i.test(tagline) ? [ofApp(subject)] : [];
  }
  const noun = isPlain && !notNoun.test(tagline) && tagline.split(' ').length <= 4 ? lower(tagline) : '';
  const said = sentences.slice(0, 4).map(sentence => readSaid(sentence, name.short));
  const [, practice = ''] =
    /^(?!The |An? )(\p{Lu}\p{Ll}+ \p{Ll}+) for (?:people|those|anyone)\b/u.exec(sentences[0] ?? '') ?? [];
  const ownName = lower(name.short);
  const ownNoun = ownName.split(' ').at(-1)!;
  // "Allotment Diary" may be an allotment diary; "Ladle Rota" is a rota.
  const told = lower(
    [...sentences, ...features.map(({ text }) => text), ...audiences].join(' ').replaceAll(name.short, ''),
  ).split(/[^\p{L}\d-]+/u);
  const isTold = ownName
    .split(' ')
    .slice(0, -1)
    .every(word => told.some(one => singular(one) === singular(word)));
  const bareNoun = /^(?:map|book|list)$/.test(ownNoun) ? '' : ownNoun;
  return [
    kinds.test(noun) ? noun : '',
    ...said,
    practice ? ofApp(lower(practice)) : '',
    noun ? ofApp(singular(noun)) : '',
    kinds.test(ownNoun) && ownName.includes(' ') ? (isTold ? ownName : bareNoun) : '',
  ].filter(one => one !== '');
}

/** "TuneLadder is a guitar tuner for …" and "The till for people who …" name what the app is. */
function readSaid(sentence: string, appName: string): string {
  const name = appName.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const end = String.raw`(?= (?:for|that|which|who|to|from|with|where|you|in|on|of|by|made)\b|[.,:;!–-])`;
  const [, phrase = ''] =
    new RegExp(
      String.raw`^(?:${name} (?:is|was made as) (?:a|an|the)|The|An?) ([\p{L}’'-]+(?:,? [\p{L}’'-]+){0,4}?)${end}`,
      'iu',
    ).exec(sentence) ?? [];
  const words = lower(phrase.trim()).split(' ');
  const cut = words.findLastIndex(word => /^(?:and|or|.*,)$/.test(word));
  const kept = words
    .slice(cut + 1)
    .filter(word => !adjectives.test(word))
    .slice(-wordsMax);
  const kind = kept.join(' ');
  const isNamed = sentence.toLowerCase().startsWith(appName.toLowerCase()) || kinds.test(kind);
  const isNoun =
    isNamed && plainWords.test(kind) && !notNoun.test(kind.replace(/ app$/, '')) && kind.length >= 4;
  if (!isNoun) return '';
  // "Rootcellar is a family tree": what is not a tool by its name needs "app" to be one.
  return kinds.test(kind) || /\b(?:app|game|till|puzzle)s?$/i.test(kind) ? kind : `${kind} app`;
}

/** Store categories are English: "Health & Fitness", "HOUSE_AND_HOME", "GAME_WORD". */
function ofCategory(category: string | null): string | null {
  const words = (category ?? '').toLowerCase().replace(/&/g, 'and').replace(/_/g, ' ').trim();
  const [, genre] = /^game (.+)$/.exec(words) ?? [];
  if (genre !== undefined) return `${genre} game`;
  if (/^games?$/.test(words)) return 'game';
  return plainWords.test(words) ? `${words.replace(/^(?:tools|utilities)$/, 'utility')} app` : null;
}

function withArticle(kind: string, language: string): Kind {
  if (language === 'de') return { kind, a_kind: `eine ${kind}` };
  if (language === 'es') return { kind, a_kind: `una ${kind}` };
  const isVowel = /^(?:[aeio]|u(?!ni|se|sa|ti|k))/i.test(kind) && !/^(?:one|eu)/i.test(kind);
  return { kind, a_kind: `${isVowel ? 'an' : 'a'} ${kind}` };
}

/** "sleep stories" before "app": "sleep story". */
const singular = (noun: string) => noun.replace(/ies$/, 'y').replace(/(?<=[^su])s$/, '');

/** The first part of a German compound: "Fischerprüfungs". */
const joined = (noun: string) => (/(?:ung|schaft|heit|keit|ion|tät)$/.test(noun) ? `${noun}s` : noun);

/** Lower case, except acronyms: "market POS". */
function lower(text: string): string {
  if (text === text.toUpperCase()) return text.toLowerCase();
  return text.replace(/[\p{L}\d][\p{L}\d'-]*/gu, word =>
    word.length <= 4 && word === word.toUpperCase() && word.length > 1 ? word : word.toLowerCase(),
  );
}
