/** @param share 0.99 for p99. The smallest value that at least this share does not exceed */
export function percentileOf(sorted: ArrayLike<number>, share: number): number {
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (value === undefined) throw new Error('a percentile needs values');
  return value;
}
