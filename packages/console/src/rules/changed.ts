/** The fields whose values differ. A form sends only these, so that it does not overwrite changes made since it was opened. */
export function changedIn<T extends object>(before: T, now: T): Partial<T> {
  const changed = Object.entries(now).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof T]),
  );
  return Object.fromEntries(changed) as Partial<T>;
}
