import { createRecall } from '@hookline/shared/kernel';

export const stopWords: ReadonlySet<string> = new Set(
  'a an the of to in on at by for from with and or but so if is are was were be it its you your not no nor than that this what when who how do does one as all can get has have out they them then there too very will just day days more only into about after every der das und ist nicht ein eine einen den dem mit für du dein deine im zu auf von wenn el la los las de un una y que en no es tu con por para se lo al del si'.split(
    ' ',
  ),
);

// Sentences recur in every deck; 10,000 of them and a few listings take about 8 MB.
const recallStems = createRecall<ReadonlySet<string>>(10_000);
const recallLong = createRecall<ReadonlySet<string>>(10_000);

/** Content words, stemmed as far as a comparison needs. */
const stemsOf = (text: string): ReadonlySet<string> => recallStems(text, () => new Set(listStems(text)));

function listStems(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter(word => !stopWords.has(word)).map(word => word.replace(/(ing|ed|es|s)$/, ''));
}

/** The stems of content words of three or more letters, for comparing a hook with a listing. */
export function contentWordsOf(text: string): ReadonlySet<string> {
  return recallLong(text, () => new Set([...stemsOf(text)].filter(stem => stem.length >= 3)));
}

/** Jaccard similarity of the content words, 0 to 1. */
export function similarityOf(one: string, other: string): number {
  return one === other ? 1 : shareOf(stemsOf(one), stemsOf(other));
}

function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const stem of a) if (b.has(stem)) shared++;
  return shared === 0 ? 0 : shared / (a.size + b.size - shared);
}
