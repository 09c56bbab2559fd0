import featureWords from '../data/feature-words.json' with { type: 'json' };
import { contentWordsOf } from './distinct.ts';
import { occursIn } from './packs.ts';
import { createRecall, listingsMax } from './recall.ts';

/** What an app is said to do; such a line has to rest on something in the listing. */
const capability =
  /\{app\} (?:also )?(?:remember|know|keep|show|find|count|write|read|tell|hold|give|bring|ask|watch|plan|make|turn|help|put|do|say|lets?|hear|merk|schreib|frag|denk|übernimm|recuerda|conoce|cuenta)/i;
/** Words that stand in any listing and prove nothing. */
const commonWords = contentWordsOf(
  'remember know keep show find count write read tell hold give bring asks watch plan make turn help first before after where what when week time people place thing things something nothing nobody everyone good small long short hard back ones ready same full right left open real easy best away close later sooner together home hand hands side little much many once again here there still never always first last next each every before until while with without from your mehr alles nicht wenn schon etwas antes cada donde cuando',
);
/** What may be said of any app: whom it was made for, how it feels. Everything else that it "does" has to be in the listing. */
const plainStatement =
  /^\{app\} (?:also )?(?:was|is|fits|needs?|does not|has room|can wait|waits|ist|braucht|passt|está|es|cabe|no)\b/i;
/** Beginnings that promise no more than the app itself. */
const plainOrder =
  /^(?:try|start|begin|open|give|take|look|come|bring|end|use|probier|fang|gib|öffne|nimm|prueba|empieza|dale|abre|lleva|vuelve)/i;

/**
 * True when a closing line of a pack ("{app}" still in it) promises nothing that the listing does not have: every feature word in it
 * stands in the listing, and a line about what the app does, or an order that is not a plain one, has half of its words there.
 * `listing`: lower case.
 */
export function isTrueOf(line: string, listing: string, language: string): boolean {
  const judged = recallJudged(`${language}\n${listing}`, () => new Map());
  let isTrue = judged.get(line);
  if (isTrue === undefined) {
    isTrue = judge(line, listing, language);
    judged.set(line, isTrue);
  }
  return isTrue;
}

/** By listing, then by line: the lines are those of the packs, so they are few. */
const recallJudged = createRecall<Map<string, boolean>>(listingsMax);

function judge(line: string, listing: string, language: string): boolean {
  const text = line.replace('{app}', '').toLowerCase();
  const features = featureWords[language as 'en' | 'de' | 'es'].filter(word => occursIn(word, text));
  if (!features.every(word => occursIn(word, listing))) return false;
  const isPlain = plainStatement.test(line) || /\{app\} (?:was|is|ist|está)\b/.test(line);
  const promises = capability.test(line) || (!isPlain && !plainOrder.test(line));
  return !promises || isBackedBy(text, listing);
}

/** At least half of what the line says, and one word of it: one common word alone ("hard", "back") proves nothing. */
function isBackedBy(text: string, listing: string): boolean {
  const words = contentWordsOf(listing);
  const telling = [...contentWordsOf(text)].filter(word => word.length >= 4 && !commonWords.has(word));
  const backed = telling.filter(word => words.has(word)).length;
  return backed > 0 && backed * 2 >= telling.length;
}
