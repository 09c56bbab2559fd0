/** Compares what a text says about the app with the listing, by words. */
import { indexWords, isDeed, isGrammarKnown, noSpaces, tellingWordsOf } from '../words.ts';
import { listAboutApp, namesApp } from './claims.ts';

/** What follows says when, why or how the reader does something, not what the app does. */
const subordinate =
  /(?<![\p{L}\p{N}])(?:while|when|before|after|until|so|if|because|without|even|whatever|wherever|that comes?|who|as you|während|wenn|ob|wie du|bevor|nachdem|bis|damit|weil|ohne|sobald|was|mientras|cuando|antes|después|hasta|para que|porque|sin|aunque|pendant|quand|(?<!d['’])avant|après|jusque|pour que|parce|sans|même|enquanto|quando|depois|até|porque|sem|mesmo|(?<=, )(?:handy|useful|helpful|ideal|perfect|enough|good|nice|praktisch|perfekt|gut|útil|práctico|pratique|utile|prático))(?![\p{L}\p{N}])/iu;

/**
 * The first sentence that says something about the app that is not in the listing, or null. Of the main clause's
 * telling words half must be in the listing; in a language whose grammar is known, all but one, which is not an
 * item of a list: "logs habits and bills". A sentence without the name is compared in Latin letters only, and not
 * when it is a question.
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
  const isBacked = indexWords(listing, language);
  return (
    sentences.find(sentence => {
      const bare = mainClauseOf(sentence.toLowerCase().replaceAll(appName.toLowerCase(), ' '));
      const telling = tellingWordsOf(bare, language);
      const missing = telling.filter(word => !isBacked(word));
      if (missing.length * 2 > telling.length) return true;
      if (!isGrammarKnown(language)) return false;
      return (
        missing.length > 1 || missing.some(word => isDeed(word, language)) || hasForeignItem(bare, missing)
      );
    }) ?? null
  );
}

/** The sentence without its subordinate clauses; whole where one opens it. */
function mainClauseOf(sentence: string): string {
  const at = subordinate.exec(sentence)?.index ?? sentence.length;
  const head = sentence.slice(0, at);
  return /\p{L}{3,}.*\p{L}{3,}/u.test(head) ? head : sentence;
}

const separators = /,|&|(?<![\p{L}\p{N}])(?:and|or|plus|und|oder|sowie|y|e|o|u|et|ou)(?![\p{L}\p{N}])/u;
/** What ends an item of a list: a mark, or a word after which a circumstance follows. */
const itemEnd =
  /[.;:!?–—()]|(?<![\p{L}\p{N}])(?:in|on|at|for|with|by|from|to|of|without|im|am|mit|für|en|con|para|por|de|del|dans|avec|pour|du|com|em|no|na)(?![\p{L}\p{N}])/u;
/** What opens a clause, which is not an item. */
const opensClause =
  /^\s*(?:which|that|where|though|but|then|as|if|you|it|dass|ob|aber|sondern|dann|du|es|que|pero|donde|mais|vous|você)(?![\p{L}\p{N}])/u;

/** True when an item after a comma or a conjunction ends in one of the words; an adverb is not an item. */
function hasForeignItem(sentence: string, missing: readonly string[]): boolean {
  const items = sentence.split(separators).slice(1);
  return items.some(item => {
    if (opensClause.test(item)) return false;
    const last = item
      .split(itemEnd)[0]
      ?.match(/[\p{L}\p{N}]+/gu)
      ?.at(-1);
    return last !== undefined && missing.includes(last) && !/(?:ly|mente?)$/.test(last);
  });
}
