/** Whether a weekday has the same time twice. */
export function hasEqualTimes(times: readonly { time: string; days: readonly string[] }[]): boolean {
  const all = times.flatMap(({ time, days }) => days.map(day => `${day} ${time}`));
  return new Set(all).size < all.length;
}
