/** Compares a deck with its topic and with the listing, by words. */
import { stopWords } from '../distinct.ts';
import { hasAkin, hasForm, indexWords, type WordIndex } from './akin.ts';
import { listAboutApp, namesApp } from './claims.ts';

const words = (text: string): string[] => text.split(/\s+/);

/** Words that say nothing in any text, and function words that `stopWords` does not have. */
const emptyWords = words(
  `app apps keep help let make open try use start begin give take show want need put get go see look find come turn stay work works
  now time first last next thing everything anything something nothing anyone everyone people way small little
  without while until before between during since again always once also even still ever never already maybe soon later then
  ready nearby one two three each any some many much own other another both few less same such through back off over under
  here where which why may might must should would could will can cannot don doesn isn won able enough well like
  we our ours us my mine me he she his her him hers these those yours yourself itself
  jetzt gleich nutze nimm öffne zeigt zeigen hilft helfen macht machen probier bleibt siehst sehen findest finden bekommst gibt geht kommt
  funktioniert funktionieren
  auch oder aber noch schon bei beim aus nach vor über unter ohne durch wie was wer wo wann dass dich dir deinen deinem deiner deines
  sich sie ihr ihre ihren kann kannst können wird werden hat haben sind bist vom zum zur des einem einer eines jede jeder jedes jeden
  alle alles mehr nur sehr immer man diese dieser dieses diesen hier dort dann damit sofort einfach etwas nichts
  ahora usa usar abre abrir ayuda ayudar muestra mostrar prueba hace hacer ves funciona funcionar más muy pero sin sobre
  desde hasta antes después cuando donde como qué quién también sus mis este esta estos estas eso esa ese cada todo toda todos todas
  puede puedes hay ser son está están tiene tienes les nos algo nada siempre aplicación`,
);
/** Circumstances, which a sentence may add to what an app does. */
const circumstances = words(
  `day today tonight tomorrow moment morning noon evening night week weekend month year minute hour place home close hand phone screen
  easy easier simple quick quickly quiet quietly calm calmly slow slowly gentle gently busy tired
  heute morgen abend nacht woche tag zeit hoy mañana noche semana día tiempo`,
);
const plainWords = indexWords([...emptyWords, ...circumstances]);
/** Words that any topic could have. */
const vagueWords = indexWords([
  ...emptyWords,
  ...words(
    `tip idea reason mistake rule question best better good great right wrong guide list beginner weg tipp idee grund fehler frage beste
    besser gut richtig manera consejo idea razón error pregunta mejor bueno bien`,
  ),
]);
/** Languages whose words are not separated by spaces. */
const noSpaces = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/u;
/** Languages whose function words are known. */
const wellKnown = /^(?:en|de|es)\b/;

/** Content words of three letters or more, lower case, each once. */
function contentWordsOf(text: string): string[] {
  const found = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(found)].filter(word => [...word].length >= 3 && !stopWords.has(word));
}

const tellingWordsOf = (text: string): string[] =>
  contentWordsOf(text).filter(word => !hasForm(plainWords, word));

/**
 * The first sentence that says something about the app that is not in the listing, or null. Half of its
 * telling words must be in the listing, and in languages whose function words are known all but one; that one
 * is not an item of a list: "logs habits and bills". A sentence without the name is compared in Latin letters
 * only, and not when it is a question.
 * @param language of the text, BCP 47
 */
export function findUntraceable(
  text: string,
  appName: string,
  listing: string,
  language = 'en',
): string | null {
  if (noSpaces.test(text)) return null;
  const sentences = listAboutApp(text, appName).filter(
    sentence => namesApp(sentence, appName) || (/\p{sc=Latin}/u.test(sentence) && !/\?\s*$/.test(sentence)),
  );
  if (sentences.length === 0) return null;
  const source = indexWords(contentWordsOf(listing));
  const isBacked = (word: string): boolean => hasAkin(source, word);
  for (const sentence of sentences) {
    const bare = sentence.toLowerCase().replaceAll(appName.toLowerCase(), ' ');
    const telling = tellingWordsOf(bare);
    const missing = telling.filter(word => !isBacked(word));
    if (missing.length * 2 > telling.length) return sentence;
    if (wellKnown.test(language) && (missing.length > 1 || hasForeignItem(bare, missing))) return sentence;
  }
  return null;
}

const separators = /,|&|(?<![\p{L}\p{N}])(?:and|or|plus|und|oder|sowie|y|e|o|u)(?![\p{L}\p{N}])/u;
/** What ends an item of a list: a mark, or a word after which a circumstance follows. */
const itemEnd =
  /[.;:!?–—()]|(?<![\p{L}\p{N}])(?:in|on|at|for|with|by|from|to|of|without|before|after|when|while|im|am|mit|für|ohne|vor|nach|wenn|en|con|para|sin|por|de|del|cuando)(?![\p{L}\p{N}])/u;
/** What opens a clause, which is not an item. */
const opensClause =
  /^\s*(?:so|because|which|that|who|where|even|though|but|then|as|if|you|it|damit|weil|dass|ob|aber|sondern|du|es|porque|que|pero|aunque|donde)(?![\p{L}\p{N}])/u;

/** True when an item after a comma or a conjunction ends in one of the words; an adverb is not an item. */
function hasForeignItem(sentence: string, missing: readonly string[]): boolean {
  const items = sentence.split(separators).slice(1);
  return items.some(item => {
    if (opensClause.test(item)) return false;
    const last = item
      .split(itemEnd)[0]
      ?.match(/[\p{L}\p{N}]+/gu)
      ?.at(-1);
    return last !== undefined && missing.includes(last) && !/(?:ly|mente)$/.test(last);
  });
}

/** A percentage or a multiple that is not in `known`, or null: nobody could say where it comes from. */
export function findInventedFigure(text: string, known: string): string | null {
  for (const [figure, digits] of text.matchAll(
    /(\d[\d.,]*)\s?(?:%|percent\b|prozent\b|por ciento|times (?:more|faster|better)|x (?:more|faster))/giu,
  )) {
    if (!known.includes(digits!)) return figure;
  }
  return null;
}

/** The texts of a deck: `around` are the hooks that can be shown and the caption. */
export type DeckTexts = { slides: readonly string[]; around: readonly string[] };

/**
 * True when the deck is about the topic. Either its slides say so by themselves: half of them have one of the
 * topic's content words, or half of its content words are in them. Or the whole deck has half of its content
 * words, and the slides are not about the app: fewer than half of them have three words of the listing that
 * are not the topic's. The first alone refused 34 of 80 decks that a large model had written about their
 * topics: "Curl the fingertips of your free hand into a claw" is about knife skills. Both accept 76 of them,
 * and 3 % of the decks about other topics.
 * @param listing in lower case
 */
export function coversTopic(topic: string, { slides, around }: DeckTexts, listing: string): boolean {
  const all = contentWordsOf(topic);
  const telling = all.filter(word => !hasForm(vagueWords, word));
  const wanted = telling.length > 0 ? telling : all;
  if (wanted.length === 0 || noSpaces.test(topic) || slides.some(slide => noSpaces.test(slide))) return true;
  const bySlide = slides.map(slide => indexWords(contentWordsOf(slide)));
  const about = bySlide.filter(index => wanted.some(word => hasAkin(index, word))).length;
  const isHalfIn = (indexes: readonly WordIndex[]): boolean =>
    wanted.filter(word => indexes.some(index => hasAkin(index, word))).length * 2 >= wanted.length;
  if (about * 2 >= slides.length || isHalfIn(bySlide)) return true;
  const others = around.map(text => indexWords(contentWordsOf(text)));
  return isHalfIn([...bySlide, ...others]) && !areAboutApp(slides, indexWords(all), listing);
}

/** Words of the listing in one slide from which on the slide is about the app. */
const appWordsMin = 3;

function areAboutApp(slides: readonly string[], topic: WordIndex, listing: string): boolean {
  const source = indexWords(contentWordsOf(listing));
  const own = slides.filter(slide => {
    const shared = contentWordsOf(slide).filter(word => hasAkin(source, word) && !hasAkin(topic, word));
    return shared.length >= appWordsMin;
  });
  return own.length * 2 >= slides.length;
}

/** Number of content words of `text` that `known` has too. */
export function countShared(text: string, known: string): number {
  const index = indexWords(contentWordsOf(known));
  return contentWordsOf(text).filter(word => hasAkin(index, word)).length;
}
