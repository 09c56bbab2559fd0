/** What decks with something in common brought, compared with all others (docs/learning.md). */
import { formOfHook, noNumbers } from '@hookline/shared/contracts/lesson';
import { type DeckComparison, hooksMax, namedMax } from '@hookline/shared/contracts/results';
import type { ComparedDeck } from './record.ts';

export type CountedDeck = Pick<ComparedDeck, 'contentId' | 'appId' | 'tiktokAccountId' | 'views'>;

/** Decks that a value is judged by, and the views that they have together: below, it is too early. */
const judgedMin = { decks: 5, views: 500 };
/** Differences are of logarithms of views. */
const { sd: priorSd } = noNumbers;
/** What is supposed of the spread of one audience's views, with the weight of so many decks. */
const spread = { sd: 1.2, decks: 4 };
/** A view count further out than this many robust deviations counts as one that is just there. */
const outlierAt = 2.5;
/** The chance that any of the intervals of one list misses. */
const missesMax = 0.05;

/** One row for each value of each kind, of each kind the best first. */
export function ledgerOf(decks: readonly ComparedDeck[], timezone: string): DeckComparison[] {
  const clock = new Intl.DateTimeFormat('en', {
    ...{ timeZone: timezone, weekday: 'long', hour: '2-digit', hourCycle: 'h23' },
  });
  // "Monday, 09": formatToParts takes twice as long.
  const times = decks.map(({ postedAtMs: at }) => (at === null ? null : clock.format(at).toLowerCase()));
  const kinds: Record<DeckComparison['of'], (string | null)[]> = {
    hook: decks.map(({ hook }) => hook),
    form: decks.map(({ hook }) => formOfHook(hook)),
    archetype: decks.map(({ archetype }) => archetype),
    template: decks.map(({ templateId }) => templateId),
    language: decks.map(({ language }) => language),
    weekday: times.map(time => time?.slice(0, -4) ?? null),
    hour: times.map(time => time?.slice(-2) ?? null),
  };
  const levels = levelsOf(decks);
  return (Object.keys(kinds) as DeckComparison['of'][]).flatMap(of =>
    compareDecks(decks, kinds[of], levels)
      .filter((_, at, rows) => of !== 'hook' || at < hooksMax || at >= rows.length - hooksMax)
      .map(row => ({ of, ...row })),
  );
}

/** @param values what each deck may have in common with others; null: not known */
export function compareDecks(
  decks: readonly CountedDeck[],
  values: readonly (string | null)[],
  levels = levelsOf(decks),
): Omit<DeckComparison, 'of'>[] {
  const { estimates, centre, freedom } = estimateDecks(decks, values, levels);
  const known = sum(estimates.map(({ own }) => own.length));
  const judged = estimates.filter(({ own }) => isJudged(own)).length;
  const z = studentQuantile(1 - missesMax / 2 / Math.max(1, judged), freedom);
  const rows = estimates.map(({ value, own, mean, sd }) => {
    const [low, high] = [Math.exp(mean - z * sd), Math.exp(mean + z * sd)];
    return {
      value,
      decks: own.length,
      views: exact(sum(own.map(deck => deck.views))),
      // The centre has these decks in it.
      typicalViews: exact(Math.max(0, Math.expm1(centre + mean * (1 - own.length / known)))),
      lift: round(Math.exp(mean)),
      low: round(low),
      high: round(high),
      verdict: isJudged(own) ? verdictOf(low, high) : ('too_early' as const),
      contentIds: own.slice(0, namedMax).map(deck => deck.contentId),
    };
  });
  return rows.toSorted((one, other) => other.lift - one.lift || (one.value < other.value ? -1 : 1));
}

/** `own`: the decks that have the value. `mean` and `sd`: of the logarithm of their lift. */
type Estimate = { value: string; own: CountedDeck[]; mean: number; sd: number };

/**
 * Least squares, with the audiences held equal: an account where all decks have the value says nothing of it. A deck
 * without a value says what is usual on its account.
 * `freedom`: the degrees of freedom that the spread of views is known with. Each audience takes one.
 */
export function estimateDecks(
  decks: readonly CountedDeck[],
  values: readonly (string | null)[],
  levels = levelsOf(decks),
): { estimates: Estimate[]; centre: number; freedom: number } {
  const places = [...decks.keys()].filter(at => values[at] !== null);
  let freedom = spread.decks;
  let squares = spread.decks * spread.sd ** 2;
  let total = 0;
  for (const at of places) {
    const level = levels.levels[at]!;
    freedom += 1 - 1 / levels.audiences[at]!.size;
    squares += level ** 2;
    total += level;
  }
  const known = excessOf(places, levels);
  const estimates = [...Map.groupBy(places, at => values[at]!)].map(([value, ownPlaces]) => {
    const own = excessOf(ownPlaces, levels);
    // What all known decks have beyond those without a value is not this value's. Without such decks it is nothing.
    const common = sum(
      [...own.counts].map(([audience, count]) => count * (1 - known.counts.get(audience)! / audience.size)),
    );
    const slope = known.weight === 0 ? 0 : common / known.weight;
    const weight = Math.max(0, own.weight - slope * common);
    const found = weight === 0 ? 0 : (own.excess - slope * known.excess) / weight;
    // Normal-normal: what was found is drawn towards no difference by how little it is worth.
    const trust = priorSd ** 2 / (priorSd ** 2 + squares / freedom / weight);
    const [mean, sd] = [trust * found, priorSd * Math.sqrt(1 - trust)];
    return { value, own: ownPlaces.map(at => decks[at]!), mean, sd };
  });
  return { estimates, centre: levels.centre + total / places.length, freedom };
}

/** What these decks have beyond the means of their audiences in all, and for how many whole decks that counts. */
function excessOf(places: readonly number[], { levels, audiences }: Levels) {
  const counts = new Map<Audience, number>();
  let excess = 0;
  for (const at of places) {
    const audience = audiences[at]!;
    counts.set(audience, (counts.get(audience) ?? 0) + 1);
    excess += levels[at]!;
  }
  let weight = 0;
  for (const [{ size, total }, count] of counts) {
    excess -= (count * total) / size;
    weight += count * (1 - count / size);
  }
  return { counts, excess, weight };
}

/** How many decks of each of so many kinds show a twofold difference in half of all cases. */
export function decksNeeded(kinds: number): number {
  for (let decks = judgedMin.decks; ; decks += 1) {
    const error = (spread.sd ** 2 / decks) * (1 + 1 / (kinds - 1));
    const weight = priorSd ** 2 / (priorSd ** 2 + error);
    const z = studentQuantile(1 - missesMax / 2 / kinds, spread.decks + kinds * decks - 1);
    if (weight * Math.LN2 > z * priorSd * Math.sqrt(1 - weight)) return decks;
  }
}

const isJudged = (decks: readonly CountedDeck[]) =>
  decks.length >= judgedMin.decks && sum(decks.map(({ views }) => views)) >= judgedMin.views;

/** Too early is also where neither a difference is shown nor a twofold one can be ruled out. */
function verdictOf(low: number, high: number): DeckComparison['verdict'] {
  if (low > 1) return 'better';
  if (high < 1) return 'worse';
  return high < 2 && low > 0.5 ? 'no_difference' : 'too_early';
}

/** Decks of an app on one account, and the sum of their levels. */
type Audience = { size: number; total: number };
type Levels = { levels: number[]; audiences: Audience[]; centre: number };

/** Logarithms of views as distances from the centre of each deck's own audience, outliers drawn in. */
function levelsOf(decks: readonly CountedDeck[]): Levels {
  const logs = decks.map(({ views }) => Math.log1p(views));
  const centre = median(logs);
  const grouped = Map.groupBy(decks.keys(), at => `${decks[at]!.appId} ${decks[at]!.tiktokAccountId}`);
  const raw = [...logs];
  for (const places of grouped.values()) {
    const own = median(places.map(at => logs[at]!));
    for (const at of places) raw[at] = logs[at]! - own;
  }
  // The only deck of an account is at its centre, which says nothing of the spread.
  const shared = [...grouped.values()].filter(places => places.length > 1).flat();
  const limit = outlierAt * Math.max(0.5, 1.4826 * median(shared.map(at => Math.abs(raw[at]!))));
  const levels = raw.map(level => Math.min(limit, Math.max(-limit, level)));
  const audiences: Audience[] = [];
  for (const places of grouped.values()) {
    const audience = { size: places.length, total: sum(places.map(at => levels[at]!)) };
    for (const at of places) audiences[at] = audience;
  }
  return { levels, audiences, centre };
}

function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const round = (value: number) => Math.round(value * 100) / 100;
/** A count that JSON represents exactly, however large its parts are. */
export const exact = (value: number) => Math.min(Math.round(value), Number.MAX_SAFE_INTEGER);

/** Quantile of Student's t above the median: Hastings' normal one, widened (Abramowitz and Stegun 26.2.23, 26.7.5). */
function studentQuantile(probability: number, freedom: number): number {
  const t = Math.sqrt(-2 * Math.log(1 - probability));
  const z =
    t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  return z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2);
}
