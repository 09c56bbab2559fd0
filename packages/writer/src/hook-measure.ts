import { hasBannedPhrase, hasClaim } from './text-filters.ts';

/** The measures of a generated hook: 3 to 14 words, at most 80 characters, nothing banned. */
export function isGoodHook(hook: string): boolean {
  const words = hook.split(/\s+/).length;
  return words >= 3 && words <= 14 && hook.length <= 80 && !hasBannedPhrase(hook) && !hasClaim(hook);
}
