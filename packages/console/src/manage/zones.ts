/** The zones a person can choose from, and how they read; the one in use is among them under the name it was given. */
export function zoneOptions(current: string): [zone: string, text: string][] {
  const zones = new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone')]);
  return [...zones].map(zone => [zone, zone.replaceAll('_', ' ')]);
}
