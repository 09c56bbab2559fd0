import type { SecretBox } from '@hookline/shared/kernel';
import type { StoredToken } from '../queries/sources.ts';

/** The token of a source, or null when none of this process's keys opens it. */
export function openSealed(box: SecretBox, { id, tokenSealed }: StoredToken): string | null {
  try {
    return box.open(tokenSealed, id);
  } catch {
    return null;
  }
}
