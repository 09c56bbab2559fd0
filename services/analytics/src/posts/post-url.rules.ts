import type { Platform } from '../platforms/numbers.rules.ts';

/** What an address names: YouTube's id of the video, or the code that Instagram shows instead of an id. */
export type NamedPost = { platform: Platform; code: string };

const hosts = new Map<string, Platform>([
  ['youtube.com', 'youtube'],
  ['youtu.be', 'youtube'],
  ['instagram.com', 'instagram'],
]);

/** Null for an address that names no post of a platform whose numbers are read. */
export function readPostUrl(text: string): NamedPost | null {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:') return null;
  const host = url.hostname.replace(/^(www|m)\./, '');
  const platform = hosts.get(host);
  const parts = url.pathname.split('/').filter(Boolean);
  const code =
    platform === 'instagram'
      ? after(parts, ['p', 'reel', 'reels', 'tv'])
      : host === 'youtu.be'
        ? parts[0]
        : (after(parts, ['shorts', 'live']) ?? (parts[0] === 'watch' ? url.searchParams.get('v') : null));
  return platform && code && /^[\w-]{1,64}$/.test(code) ? { platform, code } : null;
}

/** Instagram puts the name of the account before the word on some of its pages. */
function after(parts: readonly string[], words: readonly string[]): string | null {
  const at = parts.findIndex(part => words.includes(part));
  return at === 0 || at === 1 ? (parts[at + 1] ?? null) : null;
}
