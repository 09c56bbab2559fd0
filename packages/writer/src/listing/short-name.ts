/** An app's name for running text, and the rest of its store title. */
export type AppName = { short: string; tagline: string | null };

const separator =
  /\s[-–—|]\s|:\s|\s\||\s・\s|\s\(|\s\+\s|\s(?:\p{Extended_Pictographic}\ufe0f?)+\s|(?<=[?!])\s/u;
/** Characters that the stores allow a name. */
const nameMax = 30;

/** The name as its maker writes it, without its store subtitle; a longer one ends at its first comma. */
export function shortenName(name: string): AppName {
  const clean = name.replace(/[®™©]/g, '').replace(/\s+/g, ' ').trim();
  const [whole, before, after] = splitAt(clean, separator);
  const left = before.replace(/\s(?:19|20)\d{2}$/, '').trim();
  const tagline = whole.includes('(') ? after.replace(/\)$/, '') : after;
  return {
    short: ([...left].length > nameMax ? splitAt(left, /,\s/)[1] : left) || clean,
    tagline: tagline.trim() || null,
  };
}

function splitAt(text: string, pattern: RegExp): [string, string, string] {
  const match = pattern.exec(text);
  return match
    ? [match[0], text.slice(0, match.index), text.slice(match.index + match[0].length)]
    : ['', text, ''];
}
