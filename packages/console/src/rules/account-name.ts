import type { Account } from '../types.ts';

type Named = Pick<Account, 'username' | 'displayName'>;

/** The handle; the display name while TikTok has not told the handle. */
export function shortName({ username, displayName }: Named): string {
  return username === null ? displayName : `@${username}`;
}

export function fullName({ username, displayName }: Named): string {
  return username === null ? displayName : `${displayName} (@${username})`;
}
