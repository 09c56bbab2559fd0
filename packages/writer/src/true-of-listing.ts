import featureWords from '../data/feature-words.json' with { type: 'json' };
import { contentWordsOf } from './distinct.ts';
import { occursIn } from './packs.ts';
import { createRecall, listingsMax } from './recall.ts';

/** Statements about what an app does; such a line must be backed by the listing. */
const capability =
  /\{app\} (?:also )?(?:remember|know|keep|show|find|count|write|read|tell|hold|give|bring|ask|watch|plan|make|turn|help|put|do|say|lets?|hear|merk|schreib|frag|denk|übernimm|recuerda|conoce|cuenta)/i;
/** Words found in any listing, which prove nothing. */
const commonWords = contentWordsOf(
  'remember know keep show find count write read tell hold give bring asks watch plan make turn help first before after where what when week time people place thing things something nothing nobody everyone good small long short hard back ones ready same full right left open real easy best away close later sooner together home hand hands side little much many once again here there still never always first last next each every before until while with without from your mehr alles nicht wenn schon etwas antes cada donde cuando',
);
/**
 * Statements that are true of any app: its audience, how it feels. Anything else that it "does" must be in
 * the listing.
 */
const plainStatement =
  /^\{app\} (?:also )?(?:was|is|fits|needs?|does not|has room|can wait|waits|ist|braucht|passt|está|es|cabe|no)\b/i;
/** Openings that promise no more than the app itself. */
const plainOrder =
  /^(?:try|start|begin|open|give|take|look|come|bring|end|use|probier|fang|gib|öffne|nimm|prueba|empieza|dale|abre|lleva|vuelve)/i;

/**
 * True when a closing line of a pack ("{app}" still in it) promises nothing that the listing does not have.
 * The listing must contain every feature word of the line. If the line states what the app does, or is an
 * imperative other than a plain one, the listing must also contain half of its words. `listing`: lower case.
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

/** By listing, then by line: the lines come from the packs, so there are few. */
const recallJudged = createRecall<Map<string, boolean>>(listingsMax);

function judge(line: string, listing: string, language: string): boolean {
  const text = line.replace('{app}', '').toLowerCase();
  const features = featureWords[language as 'en' | 'de' | 'es'].filter(word => occursIn(word, text));
  if (!features.every(word => occursIn(word, listing))) return false;
  const isPlain = plainStatement.test(line) || /\{app\} (?:was|is|ist|está)\b/.test(line);
  const promises = capability.test(line) || (!isPlain && !plainOrder.test(line));
  return !promises || isBackedBy(text, listing);
}

/**
 * True when the listing has at least half of the line's words and one that is not common: a common word
 * ("hard", "back") proves nothing.
 */
function isBackedBy(text: string, listing: string): boolean {
  const words = contentWordsOf(listing);
  const telling = [...contentWordsOf(text)].filter(word => word.length >= 4 && !commonWords.has(word));
  const backed = telling.filter(word => words.has(word)).length;
  return backed > 0 && backed * 2 >= telling.length;
}
