/** Text of whatever a record holds, for people to read. */
export function readable(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}

/** The name that a store link carries: `/us/app/pebblo-tiny-habit-tracker/id999` is "Pebblo Tiny Habit Tracker". */
export function nameFromStoreLink(link: string): string {
  let url: URL;
  try {
    url = new URL(link);
  } catch {
    return '';
  }
  const slug =
    /\/app\/([^/]+)\/id\d+/.exec(url.pathname)?.[1] ?? url.searchParams.get('id')?.split('.').at(-1);
  const words = (slug ?? '').split(/[-_]+/).filter(word => word !== '');
  return words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}
