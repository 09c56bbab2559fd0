import { hasBannedPhrase, hasClaim } from './text-filters.ts';

/** True for a generated hook of 3 to 14 words and at most 80 characters without a banned phrase. */
export function isGoodHook(hook: string): boolean {
  const words = hook.split(/\s+/).length;
  return words >= 3 && words <= 14 && hook.length <= 80 && !hasBannedPhrase(hook) && !hasClaim(hook);
}
