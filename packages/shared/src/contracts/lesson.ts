/** What the numbers of an app's decks say about its next one. Analytics draws it up, the writer uses it. */
import { z } from 'zod';

/** How a hook looks, in any language. */
export const hookForms = ['number', 'question', 'short', 'long'] as const;
export type HookForm = (typeof hookForms)[number];

/** Scripts without spaces between words need the segmenter, which takes ten times as long. */
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
const shortMax = 8;

export function formOfHook(hook: string): HookForm {
  if (/\p{Nd}/u.test(hook)) return 'number';
  if (/[?？؟]\s*$/u.test(hook)) return 'question';
  return countWords(hook) <= shortMax ? 'short' : 'long';
}

function countWords(text: string): number {
  if (unspaced.test(text)) return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length;
  return text.match(/[\p{L}\p{M}]+(?:['’.][\p{L}\p{M}]+)*/gu)?.length ?? 0;
}

/** `mean` and `sd` are of the logarithm of a lift: how many times the views of all other decks these get. */
const Posterior = z.object({ value: z.string(), decks: z.int(), mean: z.number(), sd: z.number() });
export type Posterior = z.infer<typeof Posterior>;

/** What is supposed where there are no numbers: a twofold difference is no surprise, a tenfold one is. */
export const noNumbers = { mean: 0, sd: Math.log(2) };

/** `views` are those of one deck, on average. */
const LearnedHook = Posterior.extend({ views: z.int() });
export type LearnedHook = z.infer<typeof LearnedHook>;

/** The best hooks that a lesson has, and the worst. */
export const learnedHooksMax = 5;

/** `best` and `worst` begin with the extreme. */
export const Lesson = z.object({
  best: z.array(LearnedHook).max(learnedHooksMax),
  worst: z.array(LearnedHook).max(learnedHooksMax),
  archetypes: z.array(Posterior),
  forms: z.array(Posterior),
});
export type Lesson = z.infer<typeof Lesson>;
