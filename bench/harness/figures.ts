/** A figure over the rounds of a run. */
export type Figure = { median: number; min: number; max: number; rounds: number[] };

export function figureOf(rounds: readonly number[]): Figure {
  if (rounds.length === 0) throw new Error('a figure needs at least one round');
  const sorted = rounds.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const median =
    sorted.length % 2 === 1
      ? (sorted[Math.floor(middle)] as number)
      : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
  return { median, min: sorted[0] as number, max: sorted.at(-1) as number, rounds: [...rounds] };
}

/** Ratio per round, then the median of the ratios: a disturbance in a round affects both. */
export function ratioOf(ours: Figure, theirs: Figure): Figure {
  return figureOf(ours.rounds.map((value, round) => value / (theirs.rounds[round] as number)));
}

export function differenceOf(ours: Figure, theirs: Figure): Figure {
  return figureOf(ours.rounds.map((value, round) => value - (theirs.rounds[round] as number)));
}
