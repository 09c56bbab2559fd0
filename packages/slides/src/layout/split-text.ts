import type { Slide } from '@hookline/deck';
import type { DeckToRender } from '../deck-to-render.ts';
import type { BlockRole } from '../designs/design.ts';

export type Part = { role: BlockRole; text: string };

/** A slide shows at most so many words large. */
const largeMax = 14;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
/** Japanese and Chinese are cut finer: "やめてよかった" has six. */
const fine = /[\p{sc=Hira}\p{sc=Kana}\p{sc=Han}]/u;
const wordsOf = (text: string): number =>
  Iterator.from(segmenter.segment(text)).reduce(
    (sum, { isWordLike, segment }) => sum + (isWordLike ? (fine.test(segment) ? 0.6 : 1) : 0),
    0,
  );

/** "As St. Ignatius taught it" */
const abbreviated = '(?<!\\p{L})(?:St|Mt|Mr|Mrs|Ms|Dr|Sr|Sra|Jr|vs|[Nn]o|[Nn]r|ca|approx|incl|inkl|bzw|ej)';

/** Where a text may be cut in two, the best place first: behind a sentence or label, a quotation, a clause. */
const cuts = [
  new RegExp(
    `(?:(?<![\\s\\d]|(?<!\\p{L})\\p{L}|${abbreviated})[.!?…؟।]|(?<=\\p{L}\\s)[!?])(?=\\s)|[。！？](?=.)|:(?=\\s)|：|】(?=.)`,
    'gu',
  ),
  /[»”」』)](?=[\s\p{L}])|(?<=\s)[–—-](?=\s)/gu,
  /[,;،؛](?=\s)|[、，]/gu,
];
/** A clause of fewer words, "Wind,", says nothing alone. */
const clauseMin = 4;

/**
 * What a slide shows large and what smaller. A text over 14 words keeps its first sentence, label or clause
 * large where that has at most 14, else all of it is small.
 */
export function splitText(kind: Slide['kind'], text: string): Part[] {
  const large = kind === 'cover' ? 'hook' : 'large';
  const isLong = wordsOf(text) > largeMax;
  const lead = kind === 'cover' ? 'hook' : 'lead';
  for (const cut of isLong && kind === 'cover' ? cuts : kind === 'body' ? cuts.slice(0, 1) : []) {
    const least = cut === cuts.at(-1) ? clauseMin : 1;
    const ends = [...text.matchAll(cut)].map(({ index, 0: mark }) => index + mark.length);
    const fitting = ends.filter(at => {
      const words = wordsOf(text.slice(0, at));
      return words >= least && words <= largeMax && wordsOf(text.slice(at)) >= least;
    });
    // Behind a label or the first sentence; of a long cover, as much as is large.
    const at = kind === 'cover' ? fitting.at(-1) : fitting[0];
    if (at === undefined) continue;
    return [
      { role: lead, text: text.slice(0, at).trim() },
      { role: isLong ? 'small' : 'large', text: text.slice(at).trim() },
    ];
  }
  return [{ role: isLong ? 'small' : large, text }];
}

/** The closing slide with the app's name over its text, its store and the brand's handle below. */
export function signText(text: string, { app, brand }: Pick<DeckToRender, 'app' | 'brand'>): Part[] {
  const { name = '', store = '' } = app ?? {};
  // "Pebblo – Tiny Habit Tracker · App Store" has all of it in one line.
  const unstored = store && text.endsWith(` · ${store}`) ? text.slice(0, -store.length - 3) : text;
  const isNamed = name !== '' && unstored.toLowerCase().startsWith(name.toLowerCase());
  const rest = unstored.slice(name.length);
  const line = isNamed && /^(?: – |$)/u.test(rest) ? rest.slice(3) : unstored;
  return [
    { role: 'large' as const, text: name },
    { role: 'small' as const, text: line },
    { role: 'small' as const, text: store && line.includes(store) ? '' : store },
    // Isolated: a handle is written from the left in every script.
    { role: 'small' as const, text: brand?.handle ? `\u2066${brand.handle}\u2069` : '' },
  ].filter(part => part.text !== '');
}
