import type { Account } from '../types.ts';

type Named = Pick<Account, 'username' | 'displayName'>;

/** The handle; the display name while TikTok has not told the handle. */
export function shortName({ username, displayName }: Named): string {
  return username === null ? displayName : `@${username}`;
}

export function fullName({ username, displayName }: Named): string {
  return username === null ? displayName : `${displayName} (@${username})`;
}

/** The first character as people see it: of an emoji that is up to eleven units of a string. */
export function initialOf(name: string): string {
  const [first] = new Intl.Segmenter().segment(name);
  return first?.segment.toUpperCase() ?? '';
}
