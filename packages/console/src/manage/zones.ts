/** The zones a person can choose from; the one in use is among them under the name it was given. */
export function zoneNames(current: string): readonly string[] {
  const known = Intl.supportedValuesOf('timeZone');
  return [...new Set(['UTC', current, ...known])];
}
