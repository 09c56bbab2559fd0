/** Counts of names, and their printed form. */

/** @param nameOf null: not counted */
export function countBy<T>(rows: readonly T[], nameOf: (row: T) => string | null): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) {
    const name = nameOf(row);
    if (name !== null) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

export function listed(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([what, count]) => `${what} ${count}`)
    .join(', ');
}
