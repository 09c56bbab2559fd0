/** The points of TikTok's Content Sharing Guidelines that the posting dialog of the console shows. */
import type { Outside } from './outside.ts';

/** Each point with words of the console that show it. */
const points = {
  'who posts, from creator_info': 'Posting as',
  'a privacy that the person chooses, without a default': 'Choose who can see it',
  'comments, off unless allowed': 'Allow comments',
  'comments that the creator turned off': 'turned comments off in TikTok',
  'the disclosure, off by default': 'Disclose promotional content',
  'your brand': 'Your brand',
  'branded content': 'Branded content',
  'at least one of the two': 'Choose at least one of the two',
  'the label of your brand': 'Promotional content',
  'the label of branded content': 'Paid partnership',
  'branded content is never private': 'Branded content visibility cannot be set to private',
  'the consent': 'By posting, you agree to TikTok',
  'the music policy': 'Music Usage Confirmation',
  'the policy of branded content': 'Branded Content Policy',
  'the time of processing': 'TikTok may take a few minutes to process the post',
} as const;

const filesMax = 200;

/** Reads the scripts that the page of the console loads now or later. */
export async function missingInDialog(page: string, get: Outside['get']): Promise<string[]> {
  const root = new URL(page);
  const first = await get(page);
  const seen = new Set<string>();
  let waiting = [first?.text ?? ''];
  let all = '';
  while (waiting.length > 0 && seen.size < filesMax) {
    all += waiting.join('');
    const found = waiting.flatMap(text => text.match(/[\w-]+-[\w-]{8}\.js\b/g) ?? []);
    const names = [...new Set(found)].filter(name => !seen.has(name));
    for (const name of names) seen.add(name);
    const files = await Promise.all(names.map(name => get(new URL(`assets/${name}`, root).href)));
    waiting = files.flatMap(file => (file?.status === 200 ? [file.text] : []));
  }
  return Object.entries(points).flatMap(([point, words]) => (all.includes(words) ? [] : [point]));
}
