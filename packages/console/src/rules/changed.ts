/** The fields that have another value now. A form sends no others: somebody else may have changed them meanwhile. */
export function changedIn<T extends object>(before: T, now: T): Partial<T> {
  const changed = Object.entries(now).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof T]),
  );
  return Object.fromEntries(changed) as Partial<T>;
}
