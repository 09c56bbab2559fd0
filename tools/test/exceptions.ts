/**
 * Complaints without those of the exceptions, and one for each exception that nothing needs.
 * @param found complaints by the name that an exception has
 * @param unneeded says why an exception is not needed
 */
export function applyExceptions(
  found: ReadonlyMap<string, readonly string[]>,
  exceptions: Readonly<Record<string, string>>,
  unneeded: (name: string) => string,
): string[] {
  return [
    ...[...found].flatMap(([name, complaints]) => (name in exceptions ? [] : complaints)),
    ...Object.keys(exceptions)
      .filter(name => !found.get(name)?.length)
      .map(name => `${unneeded(name)}: it needs no exception`),
  ];
}
